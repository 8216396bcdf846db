-- Reports that come by the clock, each to whoever subscribed to it.
create table reportsubscription (
  tenant_id text not null check (tenant_id ~ '^[0-9]{6}$'),
  id bigint not null,
  report_id bigint not null,
  subject text check (char_length(subject) <= 64),
  asked jsonb,
  every text not null check (char_length(every) <= 32),
  weekday text check (char_length(weekday) <= 32),
  calendar_id bigint,
  hour integer not null check (hour between 0 and 23),
  format text not null check (char_length(format) <= 32),
  way text not null check (char_length(way) <= 32),
  file_language text not null check (char_length(file_language) <= 32),
  last_run timestamptz,
  next_run timestamptz,
  pause_reason text check (char_length(pause_reason) <= 500),
  reason text check (char_length(reason) <= 200),
  status smallint not null default 1,
  version integer not null default 1,
  ext_id text check (char_length(ext_id) <= 255),
  create_user bigint,
  create_dept bigint,
  create_time timestamptz not null default now(),
  update_user bigint,
  update_time timestamptz not null default now(),
  primary key (tenant_id, id),
  unique (tenant_id, ext_id)
);
create index reportsubscription_create_time_sort on reportsubscription (tenant_id, create_time, id);
create index reportsubscription_report_id_ref on reportsubscription (tenant_id, report_id);
create index reportsubscription_calendar_id_ref on reportsubscription (tenant_id, calendar_id);
alter table reportsubscription enable row level security;
alter table reportsubscription force row level security;
create policy tenant on reportsubscription using (tenant_id = current_setting('app.tenant_id', true)) with check (tenant_id = current_setting('app.tenant_id', true));

alter table reportsubscription add constraint reportsubscription_report_id_fkey foreign key (tenant_id, report_id) references report (tenant_id, id);
alter table reportsubscription add constraint reportsubscription_calendar_id_fkey foreign key (tenant_id, calendar_id) references school (tenant_id, id);

-- What is due is looked for every few minutes.
create index reportsubscription_due on reportsubscription (tenant_id, next_run) where status = 1;

-- The moments at which a subscription was run: one stands once, however many servers look.
create table report_moment (
  tenant_id text not null check (tenant_id ~ '^[0-9]{6}$'),
  subscription_id bigint not null,
  moment timestamptz not null,
  job_id bigint,
  create_time timestamptz not null default now(),
  primary key (tenant_id, subscription_id, moment)
);
alter table report_moment enable row level security;
alter table report_moment force row level security;
create policy tenant on report_moment using (tenant_id = current_setting('app.tenant_id', true)) with check (tenant_id = current_setting('app.tenant_id', true));
alter table report_moment add constraint report_moment_subscription foreign key (tenant_id, subscription_id) references reportsubscription (tenant_id, id) on delete cascade;

-- Tenants with a subscription that is due, or that follows a calendar, which may have changed: their rows are seen one tenant
-- at a time, so they are looked through here.
create function reports_waiting(at timestamptz) returns setof text language plpgsql as $$
declare code text;
begin
  for code in select t.tenant_id from tenant t where t.status in (1, 2) and (t.expire_time is null or t.expire_time > at) order by t.tenant_id
  loop
    perform set_config('app.tenant_id', code, true);
    if exists (select 1 from reportsubscription s where s.tenant_id = code and s.status = 1
        and (s.next_run is null or s.next_run <= at or s.calendar_id is not null)) then
      return next code;
    end if;
  end loop;
end $$;
revoke all on function public.reports_waiting(timestamptz) from public;

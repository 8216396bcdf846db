-- Mail: the services that send it, what was asked for, and what became of it.

create table mail (
  tenant_id text not null check (tenant_id ~ '^[0-9]{6}$'),
  id bigint not null,
  mail_code text not null check (char_length(mail_code) <= 32),
  from_address text not null check (char_length(from_address) <= 100),
  from_name text check (char_length(from_name) <= 64),
  host text not null check (char_length(host) <= 253),
  port integer not null check (port between 1 and 65535),
  encryption text not null check (char_length(encryption) <= 32),
  account text check (char_length(account) <= 255),
  password bytea,
  per_minute integer not null check (per_minute between 1 and 1000),
  per_day integer not null check (per_day between 1 and 1000000),
  remark text check (char_length(remark) <= 500),
  status smallint not null default 1,
  version integer not null default 1,
  ext_id text check (char_length(ext_id) <= 255),
  create_user bigint,
  create_dept bigint,
  create_time timestamptz not null default now(),
  update_user bigint,
  update_time timestamptz not null default now(),
  primary key (tenant_id, id),
  unique (tenant_id, ext_id),
  constraint mail_mail_code_key unique (tenant_id, mail_code)
);
create index mail_mail_code_sort on mail (tenant_id, mail_code, id);
create index mail_create_time_sort on mail (tenant_id, create_time, id);
alter table mail enable row level security;
alter table mail force row level security;
create policy tenant on mail using (tenant_id = current_setting('app.tenant_id', true)) with check (tenant_id = current_setting('app.tenant_id', true));

create table mail_log (
  tenant_id text not null check (tenant_id ~ '^[0-9]{6}$'),
  id bigint not null,
  mail_id bigint,
  recipient bytea not null,
  recipient_hash bytea,
  recipient_tail bytea,
  subject text not null check (char_length(subject) <= 200),
  purpose text not null check (char_length(purpose) <= 32),
  state text not null check (char_length(state) <= 32),
  tries integer not null check (tries between 0 and 99),
  next_try timestamptz,
  sent_at timestamptz,
  answer text check (char_length(answer) <= 500),
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
create index mail_log_create_time_sort on mail_log (tenant_id, create_time, id);
create index mail_log_mail_id_ref on mail_log (tenant_id, mail_id);
create index mail_log_recipient_find on mail_log (tenant_id, recipient_hash);
create index mail_log_recipient_tail_find on mail_log (tenant_id, recipient_tail);
alter table mail_log enable row level security;
alter table mail_log force row level security;
create policy tenant on mail_log using (tenant_id = current_setting('app.tenant_id', true)) with check (tenant_id = current_setting('app.tenant_id', true));

alter table mail_log add constraint mail_log_mail_id_fkey foreign key (tenant_id, mail_id) references mail (tenant_id, id);

-- Of a tenant's services at most one is enabled. What is wrong with it (a wrong password, say) is told once, and all of its
-- mail waits until then.
create unique index mail_enabled on mail (tenant_id) where status = 2;
alter table mail add column fault text check (char_length(fault) <= 500), add column paused_until timestamptz;

-- What waits to be sent: its text, sealed until it has gone or is given up; a key that comes twice sends once. `begun_at`
-- stands before the first byte of the message is sent: a row that has it, and whose lease ran out, is never sent again.
alter table mail_log add column payload bytea, add column request_key text check (char_length(request_key) <= 64),
  add column leased_until timestamptz, add column begun_at timestamptz, add column last_try timestamptz;
create unique index mail_log_request on mail_log (tenant_id, request_key) where request_key is not null;
create index mail_log_due on mail_log (tenant_id, next_try) where state in ('0', '2');
create index mail_log_last_try on mail_log (tenant_id, last_try) where last_try is not null;

-- Tenants in which a mail is due: their rows are seen one tenant at a time, so they are looked through here.
create function mail_waiting() returns setof text language plpgsql as $$
declare code text;
begin
  for code in select t.tenant_id from tenant t where t.status in (1, 2) order by t.tenant_id
  loop
    perform set_config('app.tenant_id', code, true);
    if exists (select 1 from mail_log m where m.tenant_id = code and m.state in ('0', '2') and m.leased_until <= now() and m.begun_at is not null)
      or (exists (select 1 from mail s where s.tenant_id = code and s.status = 2 and (s.paused_until is null or s.paused_until <= now()))
        and exists (select 1 from mail_log m where m.tenant_id = code and m.state in ('0', '2') and m.next_try <= now()
          and (m.leased_until is null or m.leased_until <= now()))) then
      return next code;
    end if;
  end loop;
end $$;
revoke all on function public.mail_waiting() from public;

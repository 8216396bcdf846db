-- What somebody has decided about a finding of the data checks: that it is none, and why; or who puts it right, and by when.
-- Findings themselves are counted from rows and kept nowhere.
create table quality_mark (
  tenant_id text not null check (tenant_id ~ '^[0-9]{6}$'),
  check_key text not null check (char_length(check_key) between 1 and 40),
  row_id bigint not null,
  reason text check (char_length(reason) between 1 and 200),
  owner_id bigint,
  due_day date,
  update_user bigint,
  update_time timestamptz not null default now(),
  primary key (tenant_id, check_key, row_id),
  check (reason is not null or owner_id is not null),
  check (due_day is null or owner_id is not null),
  foreign key (tenant_id, owner_id) references app_user (tenant_id, id) on delete cascade
);
create index quality_mark_owner on quality_mark (tenant_id, owner_id) where owner_id is not null;
alter table quality_mark enable row level security;
alter table quality_mark force row level security;
create policy tenant on quality_mark using (tenant_id = current_setting('app.tenant_id', true)) with check (tenant_id = current_setting('app.tenant_id', true));

-- What each check found in each school on a day, kept once. Rows of no school stand under 0.
create table quality_daily (
  tenant_id text not null check (tenant_id ~ '^[0-9]{6}$'),
  day date not null,
  school_id bigint not null,
  check_key text not null check (char_length(check_key) between 1 and 40),
  count integer not null check (count >= 0),
  primary key (tenant_id, day, school_id, check_key)
);
alter table quality_daily enable row level security;
alter table quality_daily force row level security;
create policy tenant on quality_daily using (tenant_id = current_setting('app.tenant_id', true)) with check (tenant_id = current_setting('app.tenant_id', true));

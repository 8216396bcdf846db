-- A receipt is given by an act of its own; opening a notice only says that it was read. What was given by opening stays given.
alter table notice add column confirm_by timestamptz;
alter table notice add constraint notice_confirm_by_order check (confirm_by <= expire_time);
alter table notice_read add column confirmed_at timestamptz;
alter table notice no force row level security;
alter table notice_read no force row level security;
update notice_read r set confirmed_at = r.read_at from notice n
  where n.tenant_id = r.tenant_id and n.id = r.notice_id and n.need_read = 1;
alter table notice force row level security;
alter table notice_read force row level security;

-- Who reminded how many people of a notice, and when.
create table notice_reminder (
  tenant_id text not null check (tenant_id ~ '^[0-9]{6}$'),
  id bigint not null,
  notice_id bigint not null,
  user_id bigint,
  user_name text not null,
  people integer not null check (people > 0),
  create_time timestamptz not null default now(),
  primary key (tenant_id, id),
  foreign key (tenant_id, notice_id) references notice (tenant_id, id) on delete cascade
);
create index notice_reminder_notice on notice_reminder (tenant_id, notice_id, create_time);
alter table notice_reminder enable row level security;
alter table notice_reminder force row level security;
create policy tenant on notice_reminder using (tenant_id = current_setting('app.tenant_id', true)) with check (tenant_id = current_setting('app.tenant_id', true));

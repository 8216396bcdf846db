-- Saved questions over the rows of entities, and the roles that each is shared with.
create table report (
  tenant_id text not null check (tenant_id ~ '^[0-9]{6}$'),
  id bigint not null,
  name text not null check (char_length(name) <= 64),
  subject text check (char_length(subject) <= 64),
  content jsonb not null,
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
  constraint report_name_key unique (tenant_id, name)
);
create index report_name_sort on report (tenant_id, name, id);
create index report_create_time_sort on report (tenant_id, create_time, id);
create table report_role (
  tenant_id text not null check (tenant_id ~ '^[0-9]{6}$'),
  owner_id bigint not null,
  target_id bigint not null,
  ord smallint not null,
  primary key (tenant_id, owner_id, target_id)
);
create index report_role_target on report_role (tenant_id, target_id);
alter table report_role enable row level security;
alter table report_role force row level security;
create policy tenant on report_role using (tenant_id = current_setting('app.tenant_id', true)) with check (tenant_id = current_setting('app.tenant_id', true));
alter table report enable row level security;
alter table report force row level security;
create policy tenant on report using (tenant_id = current_setting('app.tenant_id', true)) with check (tenant_id = current_setting('app.tenant_id', true));

alter table report_role add constraint report_role_owner foreign key (tenant_id, owner_id) references report (tenant_id, id) on delete cascade;
alter table report_role add constraint report_role_ids_fkey foreign key (tenant_id, target_id) references role (tenant_id, id);

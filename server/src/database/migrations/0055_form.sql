-- Forms that an authority prescribes, each a workbook among the files, and the roles that each is shared with.
create table fixedform (
  tenant_id text not null check (tenant_id ~ '^[0-9]{6}$'),
  id bigint not null,
  name text not null check (char_length(name) <= 64),
  subject text not null check (char_length(subject) <= 64),
  attach_id bigint not null,
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
  constraint fixedform_name_key unique (tenant_id, name)
);
create index fixedform_attach_id_ref on fixedform (tenant_id, attach_id);
create index fixedform_name_sort on fixedform (tenant_id, name, id);
create index fixedform_create_time_sort on fixedform (tenant_id, create_time, id);
create table fixedform_role (
  tenant_id text not null check (tenant_id ~ '^[0-9]{6}$'),
  owner_id bigint not null,
  target_id bigint not null,
  ord smallint not null,
  primary key (tenant_id, owner_id, target_id)
);
create index fixedform_role_target on fixedform_role (tenant_id, target_id);
alter table fixedform_role enable row level security;
alter table fixedform_role force row level security;
create policy tenant on fixedform_role using (tenant_id = current_setting('app.tenant_id', true)) with check (tenant_id = current_setting('app.tenant_id', true));
alter table fixedform enable row level security;
alter table fixedform force row level security;
create policy tenant on fixedform using (tenant_id = current_setting('app.tenant_id', true)) with check (tenant_id = current_setting('app.tenant_id', true));

alter table fixedform_role add constraint fixedform_role_owner foreign key (tenant_id, owner_id) references fixedform (tenant_id, id) on delete cascade;
alter table fixedform_role add constraint fixedform_role_ids_fkey foreign key (tenant_id, target_id) references role (tenant_id, id);
alter table fixedform add constraint fixedform_attach_id_fkey foreign key (tenant_id, attach_id) references attach (tenant_id, id);

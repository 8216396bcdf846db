-- Data sources are connected to: a file has no user, and a password is kept sealed.
alter table datasource alter column username drop not null;
alter table datasource add column password bytea;
-- Of the drivers, those that the product cannot serve are shown where rows have them, and offered no more.
update dict set is_sealed = 1, version = version + 1, update_time = now()
  where code = 'driver_class' and dict_key in ('sqlserver', 'oracle') and is_sealed = 0;
update dict set dict_value = 'MySQL / MariaDB', dict_value_en = 'MySQL / MariaDB', version = version + 1, update_time = now()
  where code = 'driver_class' and dict_key = 'mysql' and dict_value = 'MySQL';

create table code_table (
  tenant_id text not null check (tenant_id ~ '^[0-9]{6}$'),
  id bigint not null,
  code_name text not null check (char_length(code_name) <= 20),
  code_name_en text check (char_length(code_name_en) <= 40),
  service_name text not null check (char_length(service_name) <= 32),
  package_name text check (char_length(package_name) <= 32),
  by_school smallint check (by_school in (0, 1)),
  datasource_id bigint,
  table_name text check (char_length(table_name) <= 260),
  fields jsonb,
  generated jsonb,
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
  constraint code_table_code_name_key unique (tenant_id, code_name),
  constraint code_table_service_name_key unique (tenant_id, service_name)
);
create index code_table_code_name_sort on code_table (tenant_id, code_name, id);
create index code_table_create_time_sort on code_table (tenant_id, create_time, id);
create index code_table_datasource_id_ref on code_table (tenant_id, datasource_id);
alter table code_table enable row level security;
alter table code_table force row level security;
create policy tenant on code_table using (tenant_id = current_setting('app.tenant_id', true)) with check (tenant_id = current_setting('app.tenant_id', true));

alter table code_table add constraint code_table_datasource_id_fkey foreign key (tenant_id, datasource_id) references datasource (tenant_id, id);

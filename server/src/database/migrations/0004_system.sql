-- System administration: what all tenants share becomes editable like any entity, roles are granted data and API
-- scopes beside their menus, and tenants come and go.

-- The system columns that every entity has.
alter table menu add column status smallint not null default 1, add column ext_id text check (char_length(ext_id) <= 255),
  add column create_user bigint, add column create_dept bigint, add column update_user bigint, add unique (ext_id);
alter table dict add column status smallint not null default 1, add column ext_id text check (char_length(ext_id) <= 255),
  add column create_user bigint, add column create_dept bigint, add column update_user bigint, add unique (ext_id);
alter table client add column ext_id text check (char_length(ext_id) <= 255),
  add column create_user bigint, add column create_dept bigint, add column update_user bigint, add unique (ext_id);
alter table tenant add column ext_id text check (char_length(ext_id) <= 255),
  add column create_user bigint, add column create_dept bigint, add column update_user bigint, add unique (ext_id),
  drop column create_user_name;

-- Choices are texts in every entity.
alter table menu drop constraint menu_category_check,
  alter column category drop default, alter column category type text using category::text, alter column category set default '1',
  alter column action drop default, alter column action drop not null,
  alter column action type text using nullif(action::text, '0'),
  alter column is_open drop default, alter column is_open type text using is_open::text, alter column is_open set default '1';
alter table menu add constraint menu_category_check check (category in ('1', '2')),
  add constraint menu_is_open_check check (is_open in ('1', '2'));
create index menu_sort_sort on menu (sort, id);
create index menu_create_time_sort on menu (create_time, id);
create index dict_sort_sort on dict (sort, id);
create index dict_code_sort on dict (code, id);
create index dict_dict_key_sort on dict (dict_key, id);
create index dict_create_time_sort on dict (create_time, id);

alter table client add column client_group text check (char_length(client_group) <= 32),
  add column web_server_redirect_uri text check (char_length(web_server_redirect_uri) <= 255),
  alter column authorized_grant_types drop default,
  alter column authorized_grant_types type text[] using string_to_array(authorized_grant_types, ','),
  alter column authorized_grant_types set default '{password,refresh_token}',
  add constraint client_authorized_grant_types_check check (cardinality(authorized_grant_types) > 0);
-- A client without a secret lets nobody in: no secret's hash is empty.
alter table client alter column client_secret_hash set default '';
create index client_client_id_sort on client (client_id, id);
create index client_create_time_sort on client (create_time, id);

alter table tenant add constraint tenant_tenant_id_key unique (tenant_id),
  add column background_url text check (char_length(background_url) <= 500),
  add column datasource_id bigint,
  add column purge_after timestamptz,
  add constraint tenant_account_number_check check (account_number between -1 and 1000000);
update tenant set linkman = coalesce(linkman, '-'), contact_number = coalesce(contact_number, '-');
alter table tenant alter column linkman set not null, alter column contact_number set not null,
  alter column linkman set default '-', alter column contact_number set default '-';
create index tenant_tenant_id_sort on tenant (tenant_id, id);
create index tenant_tenant_name_sort on tenant (tenant_name, id);
create index tenant_expire_time_sort on tenant (expire_time, id);
create index tenant_create_time_sort on tenant (create_time, id);

-- What was purged, when and by whom: the certificate that outlives the tenant.
create table tenant_purge (
  id bigint primary key,
  tenant_id text not null,
  tenant_name text not null,
  purged_by text not null,
  at timestamptz not null default now(),
  row_counts jsonb not null
);

-- The only way in which all rows of a tenant go, its history too: for a tenant that is marked for it, or that was never
-- finished. It runs as the owner, whom row-level security binds to the tenant that the transaction has named, and in one
-- statement, so that rows that point at each other go together. Answers the rows by table.
create function purge_tenant(code text) returns jsonb language plpgsql security definer set search_path from current as $$
declare
  parts text;
  counts text;
  answer jsonb;
begin
  if code is distinct from current_setting('app.tenant_id', true) then
    raise exception 'the transaction has not named tenant %', code;
  end if;
  if exists (select 1 from tenant t where t.tenant_id = code and t.status <> 9) then
    raise exception 'tenant % is not marked for removal', code;
  end if;
  select string_agg(format('d%s as (delete from %I where tenant_id = $1 returning 1)', n, name), ', '),
      string_agg(format('select %L as name, (select count(*) from d%s) as n', name, n), ' union all ')
    into parts, counts
    from (select c.relname as name, row_number() over (order by c.relname) as n
      from pg_class c join pg_namespace s on s.oid = c.relnamespace join pg_policy p on p.polrelid = c.oid and p.polname = 'tenant'
      where s.nspname = 'public' and c.relkind in ('r', 'p') and not c.relispartition) as tables;
  execute 'with ' || parts || ' select jsonb_object_agg(name, n) from (' || counts || ') as counted' into answer using code;
  return answer;
end $$;
revoke all on function purge_tenant(text) from public;

-- A top menu is an entity of its tenant.
alter table top_menu add column ext_id text check (char_length(ext_id) <= 255),
  add column create_user bigint, add column create_dept bigint, add column update_user bigint, add unique (tenant_id, ext_id);
alter table top_menu rename constraint top_menu_tenant_id_code_key to top_menu_code_key;
create index top_menu_sort_sort on top_menu (tenant_id, sort, id);
create index top_menu_create_time_sort on top_menu (tenant_id, create_time, id);

create table datasource (
  tenant_id text not null check (tenant_id ~ '^[0-9]{6}$'),
  id bigint not null,
  name text not null check (char_length(name) <= 64),
  driver_class text not null check (char_length(driver_class) <= 32),
  url text not null check (char_length(url) <= 500),
  username text not null check (char_length(username) <= 64),
  password bytea not null,
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
  constraint datasource_name_key unique (tenant_id, name)
);
create index datasource_name_sort on datasource (tenant_id, name, id);
create index datasource_create_time_sort on datasource (tenant_id, create_time, id);
alter table datasource enable row level security;
alter table datasource force row level security;
create policy tenant on datasource using (tenant_id = current_setting('app.tenant_id', true)) with check (tenant_id = current_setting('app.tenant_id', true));

create table param (
  tenant_id text not null check (tenant_id ~ '^[0-9]{6}$'),
  id bigint not null,
  param_name text not null check (char_length(param_name) <= 64),
  param_key text not null check (char_length(param_key) <= 64),
  param_value text not null check (char_length(param_value) <= 2000),
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
  constraint param_param_key_key unique (tenant_id, param_key)
);
create index param_param_key_sort on param (tenant_id, param_key, id);
create index param_param_name_sort on param (tenant_id, param_name, id);
create index param_create_time_sort on param (tenant_id, create_time, id);
alter table param enable row level security;
alter table param force row level security;
create policy tenant on param using (tenant_id = current_setting('app.tenant_id', true)) with check (tenant_id = current_setting('app.tenant_id', true));

create table data_scope (
  tenant_id text not null check (tenant_id ~ '^[0-9]{6}$'),
  id bigint not null,
  menu_id bigint,
  scope_name text not null check (char_length(scope_name) <= 64),
  resource_code text not null check (char_length(resource_code) <= 64),
  scope_class text not null check (char_length(scope_class) <= 64),
  scope_type text not null check (char_length(scope_type) <= 32),
  scope_column text check (char_length(scope_column) <= 64),
  scope_field text check (char_length(scope_field) <= 255),
  scope_value jsonb,
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
  constraint data_scope_resource_code_key unique (tenant_id, resource_code)
);
create index data_scope_resource_code_sort on data_scope (tenant_id, resource_code, id);
create index data_scope_scope_name_sort on data_scope (tenant_id, scope_name, id);
create index data_scope_create_time_sort on data_scope (tenant_id, create_time, id);
create index data_scope_menu_id_ref on data_scope (tenant_id, menu_id);
alter table data_scope enable row level security;
alter table data_scope force row level security;
create policy tenant on data_scope using (tenant_id = current_setting('app.tenant_id', true)) with check (tenant_id = current_setting('app.tenant_id', true));

create table api_scope (
  tenant_id text not null check (tenant_id ~ '^[0-9]{6}$'),
  id bigint not null,
  menu_id bigint,
  scope_name text not null check (char_length(scope_name) <= 64),
  resource_code text not null check (char_length(resource_code) <= 64),
  scope_path text not null check (char_length(scope_path) <= 255),
  scope_type text not null check (char_length(scope_type) <= 32),
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
  constraint api_scope_resource_code_key unique (tenant_id, resource_code)
);
create index api_scope_resource_code_sort on api_scope (tenant_id, resource_code, id);
create index api_scope_scope_name_sort on api_scope (tenant_id, scope_name, id);
create index api_scope_create_time_sort on api_scope (tenant_id, create_time, id);
create index api_scope_menu_id_ref on api_scope (tenant_id, menu_id);
alter table api_scope enable row level security;
alter table api_scope force row level security;
create policy tenant on api_scope using (tenant_id = current_setting('app.tenant_id', true)) with check (tenant_id = current_setting('app.tenant_id', true));

alter table data_scope add constraint data_scope_menu_id_fkey foreign key (menu_id) references menu (id) on delete set null;

alter table api_scope add constraint api_scope_menu_id_fkey foreign key (menu_id) references menu (id) on delete set null;

-- What a role was granted beside its menus.
create table role_data_scope (
  tenant_id text not null check (tenant_id ~ '^[0-9]{6}$'),
  role_id bigint not null,
  scope_id bigint not null,
  primary key (tenant_id, role_id, scope_id),
  foreign key (tenant_id, role_id) references role (tenant_id, id) on delete cascade,
  foreign key (tenant_id, scope_id) references data_scope (tenant_id, id) on delete cascade
);
create index role_data_scope_scope on role_data_scope (tenant_id, scope_id);
create table role_api_scope (
  tenant_id text not null check (tenant_id ~ '^[0-9]{6}$'),
  role_id bigint not null,
  scope_id bigint not null,
  primary key (tenant_id, role_id, scope_id),
  foreign key (tenant_id, role_id) references role (tenant_id, id) on delete cascade,
  foreign key (tenant_id, scope_id) references api_scope (tenant_id, id) on delete cascade
);
create index role_api_scope_scope on role_api_scope (tenant_id, scope_id);

-- The clients that a user, or all of a tenant, may log in with; none named means any.
create table user_client (
  tenant_id text not null check (tenant_id ~ '^[0-9]{6}$'),
  user_id bigint not null,
  client_id bigint not null references client (id) on delete cascade,
  primary key (tenant_id, user_id, client_id),
  foreign key (tenant_id, user_id) references app_user (tenant_id, id) on delete cascade
);
create table tenant_client (
  tenant_id text not null check (tenant_id ~ '^[0-9]{6}$'),
  client_id bigint not null references client (id) on delete cascade,
  primary key (tenant_id, client_id)
);

-- Switch mode: the one department and role that a session was narrowed to.
alter table session add column dept_id bigint, add column role_id bigint;
create index session_last_used on session (tenant_id, last_used desc, id) where revoked_at is null;

do $$
declare t text;
begin
  foreach t in array array['role_data_scope', 'role_api_scope', 'user_client', 'tenant_client']
  loop
    execute format('alter table %I enable row level security', t);
    execute format('alter table %I force row level security', t);
    execute format('create policy tenant on %I using (tenant_id = current_setting(''app.tenant_id'', true)) with check (tenant_id = current_setting(''app.tenant_id'', true))', t);
  end loop;
end $$;

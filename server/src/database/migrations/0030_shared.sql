-- What all tenants share is kept once, and a tenant holds of its own what it changes. The business dictionaries that the
-- product ships; of one that a tenant has not taken on, it sees these rows.
create table dict_biz_shared (
  id bigint primary key,
  parent_id bigint references dict_biz_shared (id),
  code text not null check (char_length(code) <= 32),
  dict_key text not null check (char_length(dict_key) <= 32),
  dict_value text not null check (char_length(dict_value) <= 100),
  dict_value_en text check (char_length(dict_value_en) <= 200),
  sort integer not null check (sort between 0 and 9999),
  is_sealed smallint not null check (is_sealed in (0, 1)),
  remark text check (char_length(remark) <= 500),
  create_time timestamptz not null default now(),
  update_time timestamptz not null default now(),
  unique (code, dict_key)
);
create index dict_biz_shared_parent on dict_biz_shared (parent_id);

-- What a tenant holds itself, whole: of a dictionary its code. It may have removed every row of it.
create table taken_on (
  tenant_id text not null check (tenant_id ~ '^[0-9]{6}$'),
  entity text not null check (char_length(entity) <= 64),
  unit text not null check (char_length(unit) <= 64),
  primary key (tenant_id, entity, unit)
);

-- A tenant that stands keeps its rows, and with them their ids; what it has removed stays removed.
insert into taken_on (tenant_id, entity, unit)
  select tenant_id, 'dictbiz', code from dict_biz
  union
  select tenant_id, 'dictbiz', before ->> 'code' from history where entity = 'dictbiz' and before ->> 'code' is not null;

alter table taken_on enable row level security;
alter table taken_on force row level security;
create policy tenant on taken_on using (tenant_id = current_setting('app.tenant_id', true)) with check (tenant_id = current_setting('app.tenant_id', true));

-- What a tenant sees: as the one who asks, so that row-level security holds. A connection that names no tenant sees nothing.
create view dict_biz_seen with (security_invoker = true) as
  select tenant_id, id, parent_id, code, dict_key, dict_value, dict_value_en, sort, is_sealed, remark,
    status, version, ext_id, create_user, create_dept, create_time, update_user, update_time
  from dict_biz
  union all
  select current_setting('app.tenant_id', true), s.id, s.parent_id, s.code, s.dict_key, s.dict_value, s.dict_value_en, s.sort, s.is_sealed, s.remark,
    1::smallint, 1, null::text, null::bigint, null::bigint, s.create_time, null::bigint, s.update_time
  from dict_biz_shared s
  where current_setting('app.tenant_id', true) ~ '^[0-9]{6}$'
    and not exists (
      select from taken_on k
      where k.tenant_id = current_setting('app.tenant_id', true) and k.entity = 'dictbiz' and k.unit = s.code
    );

-- Grades with subjects, top menus, and what the usual roles are granted, as they are shipped: kept once for all tenants, as
-- the business dictionaries are. Grades and subjects are taken on together, and the top menus all at once (unit '*'); of
-- the roles each by itself (unit: its id).
create table sysgrade_shared (
  id bigint primary key,
  grade_code text not null unique check (char_length(grade_code) <= 8),
  grade_name text not null check (char_length(grade_name) <= 20),
  stage text not null check (char_length(stage) <= 32),
  grade_no integer not null check (grade_no between 1 and 12),
  next_grade_id bigint references sysgrade_shared (id),
  min_age integer check (min_age between 0 and 100),
  max_age integer check (max_age between 0 and 100),
  sort integer check (sort between 0 and 9999),
  remark text check (char_length(remark) <= 500),
  create_time timestamptz not null default now(),
  update_time timestamptz not null default now(),
  check (min_age <= max_age)
);
create index sysgrade_shared_next_grade on sysgrade_shared (next_grade_id);
create table syssubject_shared (
  id bigint primary key,
  subject_code text not null unique check (char_length(subject_code) <= 16),
  subject_name text not null check (char_length(subject_name) <= 30),
  short_name text not null check (char_length(short_name) <= 4),
  category text not null check (char_length(category) <= 32),
  is_main smallint check (is_main in (0, 1)),
  is_elective smallint check (is_elective in (0, 1)),
  room_type text check (char_length(room_type) <= 32),
  color text check (char_length(color) <= 7),
  sort integer check (sort between 0 and 9999),
  remark text check (char_length(remark) <= 500),
  create_time timestamptz not null default now(),
  update_time timestamptz not null default now()
);
create table syssubject_grade_shared (
  owner_id bigint not null references syssubject_shared (id) on delete cascade,
  target_id bigint not null references sysgrade_shared (id),
  ord smallint not null,
  primary key (owner_id, target_id)
);
create index syssubject_grade_shared_target on syssubject_grade_shared (target_id);
create table top_menu_shared (
  id bigint primary key,
  code text not null unique check (char_length(code) <= 64),
  name text not null check (char_length(name) <= 64),
  name_en text not null check (char_length(name_en) <= 64),
  source text check (char_length(source) <= 64),
  path text check (char_length(path) <= 255),
  sort integer not null default 0,
  create_time timestamptz not null default now(),
  update_time timestamptz not null default now()
);
create table top_menu_setting_shared (
  top_menu_id bigint not null references top_menu_shared (id) on delete cascade,
  menu_id bigint not null references menu (id) on delete cascade,
  primary key (top_menu_id, menu_id)
);
create index top_menu_setting_shared_menu on top_menu_setting_shared (menu_id);
-- What is granted to a role of this id, in whichever tenant. A set never grows: a version that grants more lays another, for
-- the tenants that are made from then on.
create table role_menu_shared (
  role_id bigint not null,
  menu_id bigint not null references menu (id) on delete cascade,
  primary key (role_id, menu_id)
);
create index role_menu_shared_menu on role_menu_shared (menu_id);
-- The ids that the usual roles of a new tenant have.
create table role_shared (
  alias text primary key check (char_length(alias) <= 64),
  role_id bigint not null unique
);

-- A tenant that stands keeps its rows, and what it has removed stays removed. Roles have ids of their own there.
insert into taken_on (tenant_id, entity, unit)
  select t.tenant_id, u.name, '*' from (
      select tenant_id from tenant union select tenant_id from sysgrade union select tenant_id from syssubject union select tenant_id from top_menu
    ) t cross join unnest(array['catalogue', 'topmenu']) u(name);

create view sysgrade_seen with (security_invoker = true) as
  select tenant_id, id, grade_code, grade_name, stage, grade_no, next_grade_id, min_age, max_age, sort, remark,
    status, version, ext_id, create_user, create_dept, create_time, update_user, update_time
  from sysgrade
  union all
  select current_setting('app.tenant_id', true), s.id, s.grade_code, s.grade_name, s.stage, s.grade_no, s.next_grade_id, s.min_age, s.max_age, s.sort, s.remark,
    1::smallint, 1, null::text, null::bigint, null::bigint, s.create_time, null::bigint, s.update_time
  from sysgrade_shared s
  where current_setting('app.tenant_id', true) ~ '^[0-9]{6}$'
    and not exists (
      select from taken_on k where k.tenant_id = current_setting('app.tenant_id', true) and k.entity = 'catalogue' and k.unit = '*'
    );
create view syssubject_seen with (security_invoker = true) as
  select tenant_id, id, subject_code, subject_name, short_name, category, is_main, is_elective, room_type, color, sort, remark,
    status, version, ext_id, create_user, create_dept, create_time, update_user, update_time
  from syssubject
  union all
  select current_setting('app.tenant_id', true), s.id, s.subject_code, s.subject_name, s.short_name, s.category, s.is_main, s.is_elective, s.room_type, s.color, s.sort, s.remark,
    1::smallint, 1, null::text, null::bigint, null::bigint, s.create_time, null::bigint, s.update_time
  from syssubject_shared s
  where current_setting('app.tenant_id', true) ~ '^[0-9]{6}$'
    and not exists (
      select from taken_on k where k.tenant_id = current_setting('app.tenant_id', true) and k.entity = 'catalogue' and k.unit = '*'
    );
create view syssubject_grade_seen with (security_invoker = true) as
  select tenant_id, owner_id, target_id, ord from syssubject_grade
  union all
  select current_setting('app.tenant_id', true), s.owner_id, s.target_id, s.ord
  from syssubject_grade_shared s
  where current_setting('app.tenant_id', true) ~ '^[0-9]{6}$'
    and not exists (
      select from taken_on k where k.tenant_id = current_setting('app.tenant_id', true) and k.entity = 'catalogue' and k.unit = '*'
    );
create view top_menu_seen with (security_invoker = true) as
  select tenant_id, id, code, name, name_en, source, path, sort,
    status, version, ext_id, create_user, create_dept, create_time, update_user, update_time
  from top_menu
  union all
  select current_setting('app.tenant_id', true), s.id, s.code, s.name, s.name_en, s.source, s.path, s.sort,
    1::smallint, 1, null::text, null::bigint, null::bigint, s.create_time, null::bigint, s.update_time
  from top_menu_shared s
  where current_setting('app.tenant_id', true) ~ '^[0-9]{6}$'
    and not exists (
      select from taken_on k where k.tenant_id = current_setting('app.tenant_id', true) and k.entity = 'topmenu' and k.unit = '*'
    );
create view top_menu_setting_seen with (security_invoker = true) as
  select tenant_id, top_menu_id, menu_id from top_menu_setting
  union all
  select current_setting('app.tenant_id', true), s.top_menu_id, s.menu_id
  from top_menu_setting_shared s
  where current_setting('app.tenant_id', true) ~ '^[0-9]{6}$'
    and not exists (
      select from taken_on k where k.tenant_id = current_setting('app.tenant_id', true) and k.entity = 'topmenu' and k.unit = '*'
    );
-- A role that a tenant does not have is granted nothing there.
create view role_menu_seen with (security_invoker = true) as
  select tenant_id, role_id, menu_id from role_menu
  union all
  select r.tenant_id, r.id, s.menu_id
  from role r join role_menu_shared s on s.role_id = r.id
  where r.is_admin = 0
    and not exists (
      select from taken_on k where k.tenant_id = r.tenant_id and k.entity = 'role' and k.unit = r.id::text
    );

-- All stamps of a tenant's entities begin with this: above what an earlier tenant of the same code had reached.
alter table grant_stamp add column entities bigint not null default 0;

-- The tables of the entities, as `npm run migration` drafts them from the definitions, and below them what a
-- definition cannot say.
create extension if not exists btree_gist;

create table attach (
  tenant_id text not null check (tenant_id ~ '^[0-9]{6}$'),
  id bigint not null,
  link text check (char_length(link) <= 1000),
  domain_url text check (char_length(domain_url) <= 500),
  name text check (char_length(name) <= 255),
  original_name text not null check (char_length(original_name) <= 255),
  extension text check (char_length(extension) <= 20),
  attach_size integer check (attach_size between 0 and 2147483647),
  sha256 text check (char_length(sha256) <= 64),
  ref_count integer check (ref_count between 0 and 2147483647),
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
create index attach_original_name_sort on attach (tenant_id, original_name, id);
create index attach_attach_size_sort on attach (tenant_id, attach_size, id);
create index attach_create_time_sort on attach (tenant_id, create_time, id);
alter table attach enable row level security;
alter table attach force row level security;
create policy tenant on attach using (tenant_id = current_setting('app.tenant_id', true)) with check (tenant_id = current_setting('app.tenant_id', true));

create table dict_biz (
  tenant_id text not null check (tenant_id ~ '^[0-9]{6}$'),
  id bigint not null,
  parent_id bigint,
  code text not null check (char_length(code) <= 32),
  dict_key text not null check (char_length(dict_key) <= 32),
  dict_value text not null check (char_length(dict_value) <= 100),
  dict_value_en text check (char_length(dict_value_en) <= 200),
  sort integer not null check (sort between 0 and 9999),
  is_sealed smallint not null check (is_sealed in (0, 1)),
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
  constraint dict_biz_code_dict_key_key unique (tenant_id, code, dict_key)
);
create index dict_biz_sort_sort on dict_biz (tenant_id, sort, id);
create index dict_biz_code_sort on dict_biz (tenant_id, code, id);
create index dict_biz_dict_key_sort on dict_biz (tenant_id, dict_key, id);
create index dict_biz_create_time_sort on dict_biz (tenant_id, create_time, id);
create index dict_biz_parent_id_ref on dict_biz (tenant_id, parent_id);
alter table dict_biz enable row level security;
alter table dict_biz force row level security;
create policy tenant on dict_biz using (tenant_id = current_setting('app.tenant_id', true)) with check (tenant_id = current_setting('app.tenant_id', true));

create table role (
  tenant_id text not null check (tenant_id ~ '^[0-9]{6}$'),
  id bigint not null,
  parent_id bigint,
  role_name text not null check (char_length(role_name) <= 40),
  role_alias text not null check (char_length(role_alias) <= 32),
  sort integer check (sort between 0 and 9999),
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
  constraint role_role_alias_key unique (tenant_id, role_alias)
);
create index role_sort_sort on role (tenant_id, sort, id);
create index role_role_name_sort on role (tenant_id, role_name, id);
create index role_create_time_sort on role (tenant_id, create_time, id);
create index role_parent_id_ref on role (tenant_id, parent_id);
alter table role enable row level security;
alter table role force row level security;
create policy tenant on role using (tenant_id = current_setting('app.tenant_id', true)) with check (tenant_id = current_setting('app.tenant_id', true));

create table post (
  tenant_id text not null check (tenant_id ~ '^[0-9]{6}$'),
  id bigint not null,
  category text not null check (char_length(category) <= 32),
  post_code text not null check (char_length(post_code) <= 32),
  post_name text not null check (char_length(post_name) <= 64),
  sort integer check (sort between 0 and 9999),
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
  constraint post_post_code_key unique (tenant_id, post_code)
);
create index post_sort_sort on post (tenant_id, sort, id);
create index post_post_code_sort on post (tenant_id, post_code, id);
create index post_post_name_sort on post (tenant_id, post_name, id);
create index post_create_time_sort on post (tenant_id, create_time, id);
alter table post enable row level security;
alter table post force row level security;
create policy tenant on post using (tenant_id = current_setting('app.tenant_id', true)) with check (tenant_id = current_setting('app.tenant_id', true));

create table dept (
  tenant_id text not null check (tenant_id ~ '^[0-9]{6}$'),
  id bigint not null,
  parent_id bigint,
  ancestors text check (char_length(ancestors) <= 2000),
  dept_name text not null check (char_length(dept_name) <= 60),
  full_name text check (char_length(full_name) <= 120),
  dept_category text not null check (char_length(dept_category) <= 32),
  leader_id bigint,
  school_id bigint,
  sort integer check (sort between 0 and 9999),
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
  constraint dept_parent_id_dept_name_key unique (tenant_id, parent_id, dept_name)
);
create index dept_sort_sort on dept (tenant_id, sort, id);
create index dept_dept_name_sort on dept (tenant_id, dept_name, id);
create index dept_create_time_sort on dept (tenant_id, create_time, id);
create index dept_parent_id_ref on dept (tenant_id, parent_id);
create index dept_leader_id_ref on dept (tenant_id, leader_id);
create index dept_school_id_ref on dept (tenant_id, school_id);
alter table dept enable row level security;
alter table dept force row level security;
create policy tenant on dept using (tenant_id = current_setting('app.tenant_id', true)) with check (tenant_id = current_setting('app.tenant_id', true));

create table sysgrade (
  tenant_id text not null check (tenant_id ~ '^[0-9]{6}$'),
  id bigint not null,
  grade_code text not null check (char_length(grade_code) <= 8),
  grade_name text not null check (char_length(grade_name) <= 20),
  stage text not null check (char_length(stage) <= 32),
  grade_no integer not null check (grade_no between 1 and 12),
  next_grade_id bigint,
  min_age integer check (min_age between 0 and 100),
  max_age integer check (max_age between 0 and 100),
  sort integer check (sort between 0 and 9999),
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
  constraint sysgrade_grade_code_key unique (tenant_id, grade_code),
  constraint sysgrade_grade_name_key unique (tenant_id, grade_name),
  constraint sysgrade_stage_grade_no_key unique (tenant_id, stage, grade_no)
);
create index sysgrade_sort_sort on sysgrade (tenant_id, sort, id);
create index sysgrade_grade_code_sort on sysgrade (tenant_id, grade_code, id);
create index sysgrade_grade_name_sort on sysgrade (tenant_id, grade_name, id);
create index sysgrade_create_time_sort on sysgrade (tenant_id, create_time, id);
create index sysgrade_next_grade_id_ref on sysgrade (tenant_id, next_grade_id);
alter table sysgrade enable row level security;
alter table sysgrade force row level security;
create policy tenant on sysgrade using (tenant_id = current_setting('app.tenant_id', true)) with check (tenant_id = current_setting('app.tenant_id', true));

create table syssubject (
  tenant_id text not null check (tenant_id ~ '^[0-9]{6}$'),
  id bigint not null,
  subject_code text not null check (char_length(subject_code) <= 16),
  subject_name text not null check (char_length(subject_name) <= 30),
  short_name text not null check (char_length(short_name) <= 4),
  category text not null check (char_length(category) <= 32),
  is_main smallint check (is_main in (0, 1)),
  is_elective smallint check (is_elective in (0, 1)),
  room_type text check (char_length(room_type) <= 32),
  color text check (char_length(color) <= 7),
  sort integer check (sort between 0 and 9999),
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
  constraint syssubject_subject_code_key unique (tenant_id, subject_code),
  constraint syssubject_subject_name_key unique (tenant_id, subject_name)
);
create index syssubject_sort_sort on syssubject (tenant_id, sort, id);
create index syssubject_subject_code_sort on syssubject (tenant_id, subject_code, id);
create index syssubject_subject_name_sort on syssubject (tenant_id, subject_name, id);
create index syssubject_create_time_sort on syssubject (tenant_id, create_time, id);
create table syssubject_grade (
  tenant_id text not null check (tenant_id ~ '^[0-9]{6}$'),
  owner_id bigint not null,
  target_id bigint not null,
  ord smallint not null,
  primary key (tenant_id, owner_id, target_id)
);
create index syssubject_grade_target on syssubject_grade (tenant_id, target_id);
alter table syssubject_grade enable row level security;
alter table syssubject_grade force row level security;
create policy tenant on syssubject_grade using (tenant_id = current_setting('app.tenant_id', true)) with check (tenant_id = current_setting('app.tenant_id', true));
alter table syssubject enable row level security;
alter table syssubject force row level security;
create policy tenant on syssubject using (tenant_id = current_setting('app.tenant_id', true)) with check (tenant_id = current_setting('app.tenant_id', true));

create table app_user (
  tenant_id text not null check (tenant_id ~ '^[0-9]{6}$'),
  id bigint not null,
  account text not null check (char_length(account) <= 45),
  code text check (char_length(code) <= 32),
  name text check (char_length(name) <= 20),
  real_name text not null check (char_length(real_name) <= 50),
  avatar text check (char_length(avatar) <= 2000),
  email text check (char_length(email) <= 100),
  phone bytea,
  phone_hash bytea,
  phone_tail bytea,
  birthday date,
  sex text check (char_length(sex) <= 32),
  user_type text not null check (char_length(user_type) <= 32),
  user_ext jsonb,
  staff_no text check (char_length(staff_no) <= 32),
  hire_date date,
  leave_date date,
  teacher_cert_no text check (char_length(teacher_cert_no) <= 30),
  title text check (char_length(title) <= 32),
  max_week_hours integer check (max_week_hours between 0 and 60),
  max_day_hours integer check (max_day_hours between 0 and 14),
  home_campus_id bigint,
  unavailable_slots jsonb,
  staff_status text not null check (char_length(staff_status) <= 32),
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
  constraint app_user_account_key unique (tenant_id, account),
  constraint app_user_staff_no_key unique (tenant_id, staff_no),
  constraint app_user_hire_date_order check (hire_date <= leave_date)
);
create index app_user_account_sort on app_user (tenant_id, account, id);
create index app_user_real_name_sort on app_user (tenant_id, real_name collate "zh-x-icu", id);
create index app_user_staff_no_sort on app_user (tenant_id, staff_no, id);
create index app_user_hire_date_sort on app_user (tenant_id, hire_date, id);
create index app_user_create_time_sort on app_user (tenant_id, create_time, id);
create index app_user_phone_find on app_user (tenant_id, phone_hash);
create index app_user_phone_tail_find on app_user (tenant_id, phone_tail);
create table app_user_role (
  tenant_id text not null check (tenant_id ~ '^[0-9]{6}$'),
  owner_id bigint not null,
  target_id bigint not null,
  ord smallint not null,
  primary key (tenant_id, owner_id, target_id)
);
create index app_user_role_target on app_user_role (tenant_id, target_id);
alter table app_user_role enable row level security;
alter table app_user_role force row level security;
create policy tenant on app_user_role using (tenant_id = current_setting('app.tenant_id', true)) with check (tenant_id = current_setting('app.tenant_id', true));
create table app_user_dept (
  tenant_id text not null check (tenant_id ~ '^[0-9]{6}$'),
  owner_id bigint not null,
  target_id bigint not null,
  ord smallint not null,
  primary key (tenant_id, owner_id, target_id)
);
create index app_user_dept_target on app_user_dept (tenant_id, target_id);
alter table app_user_dept enable row level security;
alter table app_user_dept force row level security;
create policy tenant on app_user_dept using (tenant_id = current_setting('app.tenant_id', true)) with check (tenant_id = current_setting('app.tenant_id', true));
create table app_user_post (
  tenant_id text not null check (tenant_id ~ '^[0-9]{6}$'),
  owner_id bigint not null,
  target_id bigint not null,
  ord smallint not null,
  primary key (tenant_id, owner_id, target_id)
);
create index app_user_post_target on app_user_post (tenant_id, target_id);
alter table app_user_post enable row level security;
alter table app_user_post force row level security;
create policy tenant on app_user_post using (tenant_id = current_setting('app.tenant_id', true)) with check (tenant_id = current_setting('app.tenant_id', true));
create table app_user_subject (
  tenant_id text not null check (tenant_id ~ '^[0-9]{6}$'),
  owner_id bigint not null,
  target_id bigint not null,
  ord smallint not null,
  primary key (tenant_id, owner_id, target_id)
);
create index app_user_subject_target on app_user_subject (tenant_id, target_id);
alter table app_user_subject enable row level security;
alter table app_user_subject force row level security;
create policy tenant on app_user_subject using (tenant_id = current_setting('app.tenant_id', true)) with check (tenant_id = current_setting('app.tenant_id', true));
create index app_user_home_campus_id_ref on app_user (tenant_id, home_campus_id);
alter table app_user enable row level security;
alter table app_user force row level security;
create policy tenant on app_user using (tenant_id = current_setting('app.tenant_id', true)) with check (tenant_id = current_setting('app.tenant_id', true));

create table school (
  tenant_id text not null check (tenant_id ~ '^[0-9]{6}$'),
  id bigint not null,
  school_code text not null check (char_length(school_code) <= 10),
  school_name text not null check (char_length(school_name) <= 60),
  school_short_name text check (char_length(school_short_name) <= 20),
  school_name_en text check (char_length(school_name_en) <= 120),
  school_type text not null check (char_length(school_type) <= 32),
  stages text[] not null default '{}' check (cardinality(stages) > 0),
  running_type text check (char_length(running_type) <= 32),
  urban_rural text check (char_length(urban_rural) <= 32),
  region_code text not null references region (code),
  address text check (char_length(address) <= 200),
  postcode text check (char_length(postcode) <= 6),
  longitude numeric(15, 6) check (longitude between 73 and 136),
  latitude numeric(15, 6) check (latitude between 3 and 54),
  edu_bureau text check (char_length(edu_bureau) <= 60),
  principal_id bigint,
  contact_name text check (char_length(contact_name) <= 50),
  contact_phone text check (char_length(contact_phone) <= 20),
  email text check (char_length(email) <= 100),
  website text check (char_length(website) <= 200),
  uscc text check (char_length(uscc) <= 18),
  founded_on date,
  logo bigint,
  dept_id bigint not null,
  max_class_size integer not null check (max_class_size between 1 and 100),
  week_start text check (char_length(week_start) <= 32),
  teach_days text[] not null default '{}' check (cardinality(teach_days) > 0),
  timezone text not null check (char_length(timezone) <= 64),
  sort integer check (sort between 0 and 9999),
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
  constraint school_school_code_key unique (tenant_id, school_code),
  constraint school_school_name_key unique (tenant_id, school_name),
  constraint school_uscc_key unique (tenant_id, uscc)
);
create index school_sort_sort on school (tenant_id, sort, id);
create index school_school_code_sort on school (tenant_id, school_code, id);
create index school_school_name_sort on school (tenant_id, school_name, id);
create index school_create_time_sort on school (tenant_id, create_time, id);
create index school_principal_id_ref on school (tenant_id, principal_id);
create index school_logo_ref on school (tenant_id, logo);
create index school_dept_id_ref on school (tenant_id, dept_id);
alter table school enable row level security;
alter table school force row level security;
create policy tenant on school using (tenant_id = current_setting('app.tenant_id', true)) with check (tenant_id = current_setting('app.tenant_id', true));

create table schoolcampus (
  tenant_id text not null check (tenant_id ~ '^[0-9]{6}$'),
  id bigint not null,
  school_id bigint not null,
  campus_code text not null check (char_length(campus_code) <= 32),
  campus_name text not null check (char_length(campus_name) <= 40),
  is_main smallint not null check (is_main in (0, 1)),
  region_code text references region (code),
  address text check (char_length(address) <= 200),
  postcode text check (char_length(postcode) <= 6),
  phone text check (char_length(phone) <= 20),
  manager_id bigint,
  area_sqm numeric(15, 2) check (area_sqm between 0 and 9999999999.99),
  travel_minutes integer check (travel_minutes between 0 and 600),
  sort integer check (sort between 0 and 9999),
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
  unique (tenant_id, school_id, id),
  unique (tenant_id, ext_id),
  constraint schoolcampus_school_id_campus_code_key unique (tenant_id, school_id, campus_code),
  constraint schoolcampus_school_id_campus_name_key unique (tenant_id, school_id, campus_name)
);
create unique index schoolcampus_is_main_single on schoolcampus (tenant_id, school_id) where is_main = 1;
create index schoolcampus_sort_sort on schoolcampus (tenant_id, sort, id);
create index schoolcampus_campus_code_sort on schoolcampus (tenant_id, campus_code, id);
create index schoolcampus_campus_name_sort on schoolcampus (tenant_id, campus_name, id);
create index schoolcampus_create_time_sort on schoolcampus (tenant_id, create_time, id);
create index schoolcampus_manager_id_ref on schoolcampus (tenant_id, manager_id);
alter table schoolcampus enable row level security;
alter table schoolcampus force row level security;
create policy tenant on schoolcampus using (tenant_id = current_setting('app.tenant_id', true)) with check (tenant_id = current_setting('app.tenant_id', true));

create table schoolfloor (
  tenant_id text not null check (tenant_id ~ '^[0-9]{6}$'),
  id bigint not null,
  school_id bigint not null,
  campus_id bigint not null,
  building_code text not null check (char_length(building_code) <= 32),
  building_name text not null check (char_length(building_name) <= 40),
  floor_no integer not null check (floor_no between -5 and 60),
  floor_name text check (char_length(floor_name) <= 60),
  has_elevator smallint check (has_elevator in (0, 1)),
  is_barrier_free smallint check (is_barrier_free in (0, 1)),
  plan_image bigint,
  sort integer check (sort between 0 and 9999),
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
  unique (tenant_id, school_id, id),
  unique (tenant_id, ext_id),
  constraint schoolfloor_campus_id_building_code_floor_no_key unique (tenant_id, campus_id, building_code, floor_no)
);
create index schoolfloor_floor_no_sort on schoolfloor (tenant_id, floor_no, id);
create index schoolfloor_building_code_sort on schoolfloor (tenant_id, building_code, id);
create index schoolfloor_create_time_sort on schoolfloor (tenant_id, create_time, id);
create index schoolfloor_campus_id_ref on schoolfloor (tenant_id, campus_id);
create index schoolfloor_plan_image_ref on schoolfloor (tenant_id, plan_image);
alter table schoolfloor enable row level security;
alter table schoolfloor force row level security;
create policy tenant on schoolfloor using (tenant_id = current_setting('app.tenant_id', true)) with check (tenant_id = current_setting('app.tenant_id', true));

create table schoolclassroom (
  tenant_id text not null check (tenant_id ~ '^[0-9]{6}$'),
  id bigint not null,
  school_id bigint not null,
  campus_id bigint not null,
  floor_id bigint not null,
  room_code text not null check (char_length(room_code) <= 32),
  room_name text not null check (char_length(room_name) <= 40),
  room_type text not null check (char_length(room_type) <= 32),
  capacity integer not null check (capacity between 1 and 2000),
  exam_capacity integer check (exam_capacity between 0 and 2000),
  concurrency integer not null check (concurrency between 1 and 20),
  equipment text[] not null default '{}',
  bookable smallint check (bookable in (0, 1)),
  home_class_id bigint,
  repair_begin date,
  repair_end date,
  sort integer check (sort between 0 and 9999),
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
  unique (tenant_id, school_id, id),
  unique (tenant_id, ext_id),
  constraint schoolclassroom_campus_id_room_code_key unique (tenant_id, campus_id, room_code),
  constraint schoolclassroom_campus_id_room_name_key unique (tenant_id, campus_id, room_name),
  constraint schoolclassroom_home_class_id_key unique (tenant_id, home_class_id),
  constraint schoolclassroom_repair_begin_order check (repair_begin <= repair_end)
);
create index schoolclassroom_room_code_sort on schoolclassroom (tenant_id, room_code, id);
create index schoolclassroom_room_name_sort on schoolclassroom (tenant_id, room_name, id);
create index schoolclassroom_capacity_sort on schoolclassroom (tenant_id, capacity, id);
create index schoolclassroom_create_time_sort on schoolclassroom (tenant_id, create_time, id);
create index schoolclassroom_campus_id_ref on schoolclassroom (tenant_id, campus_id);
create index schoolclassroom_floor_id_ref on schoolclassroom (tenant_id, floor_id);
create index schoolclassroom_home_class_id_ref on schoolclassroom (tenant_id, home_class_id);
alter table schoolclassroom enable row level security;
alter table schoolclassroom force row level security;
create policy tenant on schoolclassroom using (tenant_id = current_setting('app.tenant_id', true)) with check (tenant_id = current_setting('app.tenant_id', true));

create table schoolyear (
  tenant_id text not null check (tenant_id ~ '^[0-9]{6}$'),
  id bigint not null,
  school_id bigint not null,
  year_name text not null check (char_length(year_name) <= 20),
  start_year integer not null check (start_year between 1900 and 2200),
  begin_date date not null,
  end_date date not null,
  is_current smallint not null check (is_current in (0, 1)),
  sort integer check (sort between 0 and 9999),
  remark text check (char_length(remark) <= 500),
  status smallint not null default 0,
  version integer not null default 1,
  ext_id text check (char_length(ext_id) <= 255),
  create_user bigint,
  create_dept bigint,
  create_time timestamptz not null default now(),
  update_user bigint,
  update_time timestamptz not null default now(),
  primary key (tenant_id, id),
  unique (tenant_id, school_id, id),
  unique (tenant_id, ext_id),
  constraint schoolyear_school_id_year_name_key unique (tenant_id, school_id, year_name),
  constraint schoolyear_school_id_start_year_key unique (tenant_id, school_id, start_year),
  constraint schoolyear_begin_date_order check (begin_date <= end_date)
);
create unique index schoolyear_is_current_single on schoolyear (tenant_id, school_id) where is_current = 1;
create index schoolyear_start_year_sort on schoolyear (tenant_id, start_year, id);
create index schoolyear_begin_date_sort on schoolyear (tenant_id, begin_date, id);
create index schoolyear_create_time_sort on schoolyear (tenant_id, create_time, id);
alter table schoolyear enable row level security;
alter table schoolyear force row level security;
create policy tenant on schoolyear using (tenant_id = current_setting('app.tenant_id', true)) with check (tenant_id = current_setting('app.tenant_id', true));

create table schoolsemester (
  tenant_id text not null check (tenant_id ~ '^[0-9]{6}$'),
  id bigint not null,
  school_id bigint not null,
  year_id bigint not null,
  semester_name text not null check (char_length(semester_name) <= 20),
  semester_no integer not null check (semester_no between 1 and 4),
  begin_date date not null,
  end_date date not null,
  first_week_monday date not null,
  week_count integer not null check (week_count between 1 and 30),
  is_current smallint not null check (is_current in (0, 1)),
  exam_begin date,
  exam_end date,
  status smallint not null default 0,
  version integer not null default 1,
  ext_id text check (char_length(ext_id) <= 255),
  create_user bigint,
  create_dept bigint,
  create_time timestamptz not null default now(),
  update_user bigint,
  update_time timestamptz not null default now(),
  primary key (tenant_id, id),
  unique (tenant_id, school_id, id),
  unique (tenant_id, ext_id),
  constraint schoolsemester_year_id_semester_name_key unique (tenant_id, year_id, semester_name),
  constraint schoolsemester_year_id_semester_no_key unique (tenant_id, year_id, semester_no),
  constraint schoolsemester_begin_date_order check (begin_date <= end_date),
  constraint schoolsemester_exam_begin_order check (exam_begin <= exam_end)
);
create unique index schoolsemester_is_current_single on schoolsemester (tenant_id, school_id) where is_current = 1;
create index schoolsemester_begin_date_sort on schoolsemester (tenant_id, begin_date, id);
create index schoolsemester_semester_name_sort on schoolsemester (tenant_id, semester_name, id);
create index schoolsemester_create_time_sort on schoolsemester (tenant_id, create_time, id);
create index schoolsemester_year_id_ref on schoolsemester (tenant_id, year_id);
alter table schoolsemester enable row level security;
alter table schoolsemester force row level security;
create policy tenant on schoolsemester using (tenant_id = current_setting('app.tenant_id', true)) with check (tenant_id = current_setting('app.tenant_id', true));

create table schoolsubject (
  tenant_id text not null check (tenant_id ~ '^[0-9]{6}$'),
  id bigint not null,
  school_id bigint not null,
  sys_subject_id bigint,
  subject_name text not null check (char_length(subject_name) <= 30),
  short_name text not null check (char_length(short_name) <= 4),
  category text not null check (char_length(category) <= 32),
  color text not null check (char_length(color) <= 7),
  leader_id bigint,
  research_slot jsonb,
  full_score numeric(15, 1) check (full_score between 0 and 9999),
  pass_score numeric(15, 1) check (pass_score between 0 and 9999),
  week_hours jsonb,
  sort integer check (sort between 0 and 9999),
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
  unique (tenant_id, school_id, id),
  unique (tenant_id, ext_id),
  constraint schoolsubject_school_id_sys_subject_id_key unique (tenant_id, school_id, sys_subject_id),
  constraint schoolsubject_school_id_subject_name_key unique (tenant_id, school_id, subject_name)
);
create index schoolsubject_sort_sort on schoolsubject (tenant_id, sort, id);
create index schoolsubject_subject_name_sort on schoolsubject (tenant_id, subject_name, id);
create index schoolsubject_create_time_sort on schoolsubject (tenant_id, create_time, id);
create index schoolsubject_sys_subject_id_ref on schoolsubject (tenant_id, sys_subject_id);
create index schoolsubject_leader_id_ref on schoolsubject (tenant_id, leader_id);
alter table schoolsubject enable row level security;
alter table schoolsubject force row level security;
create policy tenant on schoolsubject using (tenant_id = current_setting('app.tenant_id', true)) with check (tenant_id = current_setting('app.tenant_id', true));

create table schoolclass (
  tenant_id text not null check (tenant_id ~ '^[0-9]{6}$'),
  id bigint not null,
  school_id bigint not null,
  campus_id bigint not null,
  year_id bigint not null,
  grade_id bigint not null,
  class_no integer not null check (class_no between 1 and 60),
  class_name text not null check (char_length(class_name) <= 30),
  cohort_year integer not null check (cohort_year between 1900 and 2200),
  prev_class_id bigint,
  next_class_id bigint,
  class_type text not null check (char_length(class_type) <= 32),
  head_teacher_id bigint,
  classroom_id bigint,
  max_size integer not null check (max_size between 1 and 100),
  student_count integer check (student_count between 0 and 10000),
  motto text check (char_length(motto) <= 100),
  sort integer check (sort between 0 and 9999),
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
  unique (tenant_id, school_id, id),
  unique (tenant_id, ext_id),
  constraint schoolclass_school_id_year_id_grade_id_class_no_key unique (tenant_id, school_id, year_id, grade_id, class_no),
  constraint schoolclass_school_id_year_id_class_name_key unique (tenant_id, school_id, year_id, class_name),
  constraint schoolclass_year_id_classroom_id_key unique (tenant_id, year_id, classroom_id),
  constraint schoolclass_prev_class_id_key unique (tenant_id, prev_class_id),
  constraint schoolclass_next_class_id_key unique (tenant_id, next_class_id)
);
create index schoolclass_cohort_year_sort on schoolclass (tenant_id, cohort_year, id);
create index schoolclass_class_name_sort on schoolclass (tenant_id, class_name, id);
create index schoolclass_class_no_sort on schoolclass (tenant_id, class_no, id);
create index schoolclass_student_count_sort on schoolclass (tenant_id, student_count, id);
create index schoolclass_create_time_sort on schoolclass (tenant_id, create_time, id);
create index schoolclass_campus_id_ref on schoolclass (tenant_id, campus_id);
create index schoolclass_year_id_ref on schoolclass (tenant_id, year_id);
create index schoolclass_grade_id_ref on schoolclass (tenant_id, grade_id);
create index schoolclass_prev_class_id_ref on schoolclass (tenant_id, prev_class_id);
create index schoolclass_next_class_id_ref on schoolclass (tenant_id, next_class_id);
create index schoolclass_head_teacher_id_ref on schoolclass (tenant_id, head_teacher_id);
create table schoolclass_deputy_teacher (
  tenant_id text not null check (tenant_id ~ '^[0-9]{6}$'),
  owner_id bigint not null,
  target_id bigint not null,
  ord smallint not null,
  primary key (tenant_id, owner_id, target_id)
);
create index schoolclass_deputy_teacher_target on schoolclass_deputy_teacher (tenant_id, target_id);
alter table schoolclass_deputy_teacher enable row level security;
alter table schoolclass_deputy_teacher force row level security;
create policy tenant on schoolclass_deputy_teacher using (tenant_id = current_setting('app.tenant_id', true)) with check (tenant_id = current_setting('app.tenant_id', true));
create index schoolclass_classroom_id_ref on schoolclass (tenant_id, classroom_id);
alter table schoolclass enable row level security;
alter table schoolclass force row level security;
create policy tenant on schoolclass using (tenant_id = current_setting('app.tenant_id', true)) with check (tenant_id = current_setting('app.tenant_id', true));

create table student (
  tenant_id text not null check (tenant_id ~ '^[0-9]{6}$'),
  id bigint not null,
  school_id bigint not null,
  student_no text not null check (char_length(student_no) <= 20),
  national_code bytea,
  national_code_hash bytea,
  national_code_tail bytea,
  aux_code text check (char_length(aux_code) <= 30),
  name text not null check (char_length(name) <= 50),
  name_pinyin text check (char_length(name_pinyin) <= 100),
  former_name text check (char_length(former_name) <= 50),
  name_en text check (char_length(name_en) <= 50),
  sex text not null check (char_length(sex) <= 32),
  birth_date date not null,
  id_type text not null check (char_length(id_type) <= 32),
  id_no bytea,
  id_no_hash bytea,
  id_no_tail bytea,
  id_expire date,
  nation text not null check (char_length(nation) <= 32),
  nationality text not null check (char_length(nationality) <= 32),
  overseas text not null check (char_length(overseas) <= 32),
  politics text not null check (char_length(politics) <= 32),
  health text not null check (char_length(health) <= 32),
  photo bigint,
  grade_id bigint,
  class_id bigint,
  seat_no integer check (seat_no between 1 and 999),
  enroll_date date not null,
  enroll_way text not null check (char_length(enroll_way) <= 32),
  source text not null check (char_length(source) <= 32),
  study_way text not null check (char_length(study_way) <= 32),
  phone bytea,
  phone_hash bytea,
  phone_tail bytea,
  email text check (char_length(email) <= 100),
  user_id bigint,
  sort integer check (sort between 0 and 9999),
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
  unique (tenant_id, school_id, id),
  unique (tenant_id, ext_id),
  constraint student_school_id_student_no_key unique (tenant_id, school_id, student_no),
  constraint student_national_code_key unique (tenant_id, national_code_hash),
  constraint student_id_type_id_no_key unique (tenant_id, id_type, id_no_hash),
  constraint student_class_id_seat_no_key unique (tenant_id, class_id, seat_no),
  constraint student_user_id_key unique (tenant_id, user_id)
);
create index student_student_no_sort on student (tenant_id, student_no, id);
create index student_name_sort on student (tenant_id, name collate "zh-x-icu", id);
create index student_birth_date_sort on student (tenant_id, birth_date, id);
create index student_enroll_date_sort on student (tenant_id, enroll_date, id);
create index student_create_time_sort on student (tenant_id, create_time, id);
create index student_national_code_find on student (tenant_id, national_code_hash);
create index student_national_code_tail_find on student (tenant_id, national_code_tail);
create index student_id_no_find on student (tenant_id, id_no_hash);
create index student_id_no_tail_find on student (tenant_id, id_no_tail);
create index student_photo_ref on student (tenant_id, photo);
create index student_grade_id_ref on student (tenant_id, grade_id);
create index student_class_id_ref on student (tenant_id, class_id);
create index student_phone_find on student (tenant_id, phone_hash);
create index student_phone_tail_find on student (tenant_id, phone_tail);
create index student_user_id_ref on student (tenant_id, user_id);
alter table student enable row level security;
alter table student force row level security;
create policy tenant on student using (tenant_id = current_setting('app.tenant_id', true)) with check (tenant_id = current_setting('app.tenant_id', true));

create table schoolteachclass (
  tenant_id text not null check (tenant_id ~ '^[0-9]{6}$'),
  id bigint not null,
  school_id bigint not null,
  semester_id bigint not null,
  teach_class_code text not null check (char_length(teach_class_code) <= 32),
  teach_class_name text not null check (char_length(teach_class_name) <= 40),
  subject_id bigint not null,
  level text check (char_length(level) <= 32),
  kind text not null check (char_length(kind) <= 32),
  teacher_id bigint not null,
  classroom_id bigint,
  week_hours integer not null check (week_hours between 1 and 40),
  double_periods integer not null check (double_periods between 0 and 20),
  min_size integer check (min_size between 0 and 1000),
  max_size integer check (max_size between 1 and 1000),
  remark text check (char_length(remark) <= 500),
  status smallint not null default 0,
  version integer not null default 1,
  ext_id text check (char_length(ext_id) <= 255),
  create_user bigint,
  create_dept bigint,
  create_time timestamptz not null default now(),
  update_user bigint,
  update_time timestamptz not null default now(),
  primary key (tenant_id, id),
  unique (tenant_id, school_id, id),
  unique (tenant_id, ext_id),
  constraint schoolteachclass_semester_id_teach_class_code_key unique (tenant_id, semester_id, teach_class_code),
  constraint schoolteachclass_semester_id_teach_class_name_key unique (tenant_id, semester_id, teach_class_name)
);
create index schoolteachclass_teach_class_code_sort on schoolteachclass (tenant_id, teach_class_code, id);
create index schoolteachclass_teach_class_name_sort on schoolteachclass (tenant_id, teach_class_name, id);
create index schoolteachclass_create_time_sort on schoolteachclass (tenant_id, create_time, id);
create index schoolteachclass_semester_id_ref on schoolteachclass (tenant_id, semester_id);
create table schoolteachclass_grade (
  tenant_id text not null check (tenant_id ~ '^[0-9]{6}$'),
  owner_id bigint not null,
  target_id bigint not null,
  ord smallint not null,
  primary key (tenant_id, owner_id, target_id)
);
create index schoolteachclass_grade_target on schoolteachclass_grade (tenant_id, target_id);
alter table schoolteachclass_grade enable row level security;
alter table schoolteachclass_grade force row level security;
create policy tenant on schoolteachclass_grade using (tenant_id = current_setting('app.tenant_id', true)) with check (tenant_id = current_setting('app.tenant_id', true));
create index schoolteachclass_subject_id_ref on schoolteachclass (tenant_id, subject_id);
create table schoolteachclass_class (
  tenant_id text not null check (tenant_id ~ '^[0-9]{6}$'),
  owner_id bigint not null,
  target_id bigint not null,
  ord smallint not null,
  primary key (tenant_id, owner_id, target_id)
);
create index schoolteachclass_class_target on schoolteachclass_class (tenant_id, target_id);
alter table schoolteachclass_class enable row level security;
alter table schoolteachclass_class force row level security;
create policy tenant on schoolteachclass_class using (tenant_id = current_setting('app.tenant_id', true)) with check (tenant_id = current_setting('app.tenant_id', true));
create table schoolteachclass_student (
  tenant_id text not null check (tenant_id ~ '^[0-9]{6}$'),
  owner_id bigint not null,
  target_id bigint not null,
  ord smallint not null,
  primary key (tenant_id, owner_id, target_id)
);
create index schoolteachclass_student_target on schoolteachclass_student (tenant_id, target_id);
alter table schoolteachclass_student enable row level security;
alter table schoolteachclass_student force row level security;
create policy tenant on schoolteachclass_student using (tenant_id = current_setting('app.tenant_id', true)) with check (tenant_id = current_setting('app.tenant_id', true));
create index schoolteachclass_teacher_id_ref on schoolteachclass (tenant_id, teacher_id);
create table schoolteachclass_assistant (
  tenant_id text not null check (tenant_id ~ '^[0-9]{6}$'),
  owner_id bigint not null,
  target_id bigint not null,
  ord smallint not null,
  primary key (tenant_id, owner_id, target_id)
);
create index schoolteachclass_assistant_target on schoolteachclass_assistant (tenant_id, target_id);
alter table schoolteachclass_assistant enable row level security;
alter table schoolteachclass_assistant force row level security;
create policy tenant on schoolteachclass_assistant using (tenant_id = current_setting('app.tenant_id', true)) with check (tenant_id = current_setting('app.tenant_id', true));
create index schoolteachclass_classroom_id_ref on schoolteachclass (tenant_id, classroom_id);
alter table schoolteachclass enable row level security;
alter table schoolteachclass force row level security;
create policy tenant on schoolteachclass using (tenant_id = current_setting('app.tenant_id', true)) with check (tenant_id = current_setting('app.tenant_id', true));

create table teacherclass (
  tenant_id text not null check (tenant_id ~ '^[0-9]{6}$'),
  id bigint not null,
  school_id bigint not null,
  semester_id bigint not null,
  user_id bigint not null,
  class_id bigint,
  teach_class_id bigint,
  subject_id bigint not null,
  role text not null check (char_length(role) <= 32),
  week_hours integer not null check (week_hours between 0 and 40),
  begin_date date not null,
  end_date date not null,
  status smallint not null default 1,
  version integer not null default 1,
  ext_id text check (char_length(ext_id) <= 255),
  create_user bigint,
  create_dept bigint,
  create_time timestamptz not null default now(),
  update_user bigint,
  update_time timestamptz not null default now(),
  primary key (tenant_id, id),
  unique (tenant_id, school_id, id),
  unique (tenant_id, ext_id),
  constraint teacherclass_begin_date_order check (begin_date <= end_date),
  constraint teacherclass_one_of check (num_nonnulls(class_id, teach_class_id) = 1)
);
create index teacherclass_begin_date_sort on teacherclass (tenant_id, begin_date, id);
create index teacherclass_create_time_sort on teacherclass (tenant_id, create_time, id);
create index teacherclass_semester_id_ref on teacherclass (tenant_id, semester_id);
create index teacherclass_user_id_ref on teacherclass (tenant_id, user_id);
create index teacherclass_class_id_ref on teacherclass (tenant_id, class_id);
create index teacherclass_teach_class_id_ref on teacherclass (tenant_id, teach_class_id);
create index teacherclass_subject_id_ref on teacherclass (tenant_id, subject_id);
alter table teacherclass enable row level security;
alter table teacherclass force row level security;
create policy tenant on teacherclass using (tenant_id = current_setting('app.tenant_id', true)) with check (tenant_id = current_setting('app.tenant_id', true));

create table classschedule (
  tenant_id text not null check (tenant_id ~ '^[0-9]{6}$'),
  id bigint not null,
  school_id bigint not null,
  semester_id bigint not null,
  class_id bigint,
  teach_class_id bigint,
  subject_id bigint not null,
  teacher_id bigint not null,
  classroom_id bigint,
  weekday text not null check (char_length(weekday) <= 32),
  period_no integer not null check (period_no between 1 and 14),
  span integer not null check (span between 1 and 4),
  week_type text not null check (char_length(week_type) <= 32),
  weeks jsonb,
  is_locked smallint check (is_locked in (0, 1)),
  color text check (char_length(color) <= 7),
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
  unique (tenant_id, school_id, id),
  unique (tenant_id, ext_id),
  constraint classschedule_one_of check (num_nonnulls(class_id, teach_class_id) = 1)
);
create index classschedule_weekday_sort on classschedule (tenant_id, weekday, id);
create index classschedule_period_no_sort on classschedule (tenant_id, period_no, id);
create index classschedule_create_time_sort on classschedule (tenant_id, create_time, id);
create index classschedule_semester_id_ref on classschedule (tenant_id, semester_id);
create index classschedule_class_id_ref on classschedule (tenant_id, class_id);
create index classschedule_teach_class_id_ref on classschedule (tenant_id, teach_class_id);
create index classschedule_subject_id_ref on classschedule (tenant_id, subject_id);
create index classschedule_teacher_id_ref on classschedule (tenant_id, teacher_id);
create index classschedule_classroom_id_ref on classschedule (tenant_id, classroom_id);
alter table classschedule enable row level security;
alter table classschedule force row level security;
create policy tenant on classschedule using (tenant_id = current_setting('app.tenant_id', true)) with check (tenant_id = current_setting('app.tenant_id', true));

create table studentdetail (
  tenant_id text not null check (tenant_id ~ '^[0-9]{6}$'),
  id bigint not null,
  school_id bigint not null,
  student_id bigint not null,
  native_place_code text not null references region (code),
  birth_place_code text not null references region (code),
  hukou_region_code text not null references region (code),
  hukou_type text not null check (char_length(hukou_type) <= 32),
  hukou_address text check (char_length(hukou_address) <= 200),
  home_address text not null check (char_length(home_address) <= 200),
  mail_address text not null check (char_length(mail_address) <= 200),
  family_address text check (char_length(family_address) <= 200),
  postcode text not null check (char_length(postcode) <= 6),
  home_page text check (char_length(home_page) <= 200),
  is_only_child smallint not null check (is_only_child in (0, 1)),
  had_preschool smallint not null check (had_preschool in (0, 1)),
  left_behind text not null check (char_length(left_behind) <= 32),
  is_migrant_child smallint not null check (is_migrant_child in (0, 1)),
  is_orphan smallint not null check (is_orphan in (0, 1)),
  is_martyr_child smallint not null check (is_martyr_child in (0, 1)),
  in_class_sped text not null check (char_length(in_class_sped) <= 32),
  disability_type text not null check (char_length(disability_type) <= 32),
  disability_cert_no bytea,
  disability_cert_no_hash bytea,
  disability_cert_no_tail bytea,
  needs_aid smallint not null check (needs_aid in (0, 1)),
  has_subsidy smallint not null check (has_subsidy in (0, 1)),
  is_poverty smallint not null check (is_poverty in (0, 1)),
  poverty_level text check (char_length(poverty_level) <= 32),
  blood_type text check (char_length(blood_type) <= 32),
  height_cm numeric(15, 1) check (height_cm between 40 and 230),
  weight_kg numeric(15, 1) check (weight_kg between 8 and 200),
  vision_left numeric(15, 1) check (vision_left between 3 and 5.3),
  vision_right numeric(15, 1) check (vision_right between 3 and 5.3),
  allergy text check (char_length(allergy) <= 500),
  medical_history text check (char_length(medical_history) <= 1000),
  medication text check (char_length(medication) <= 500),
  insurance_no bytea,
  insurance_no_hash bytea,
  insurance_no_tail bytea,
  distance_km numeric(15, 1) not null check (distance_km between 0 and 200),
  commute text not null check (char_length(commute) <= 32),
  needs_bus smallint not null check (needs_bus in (0, 1)),
  bus_route text check (char_length(bus_route) <= 50),
  gov_paid_seat smallint not null check (gov_paid_seat in (0, 1)),
  hobby text check (char_length(hobby) <= 200),
  awards text check (char_length(awards) <= 500),
  emergency_name text not null check (char_length(emergency_name) <= 50),
  emergency_phone bytea not null,
  emergency_phone_hash bytea,
  emergency_phone_tail bytea,
  emergency_relation text not null check (char_length(emergency_relation) <= 32),
  ext jsonb,
  status smallint not null default 1,
  version integer not null default 1,
  ext_id text check (char_length(ext_id) <= 255),
  create_user bigint,
  create_dept bigint,
  create_time timestamptz not null default now(),
  update_user bigint,
  update_time timestamptz not null default now(),
  primary key (tenant_id, id),
  unique (tenant_id, school_id, id),
  unique (tenant_id, ext_id),
  constraint studentdetail_student_id_key unique (tenant_id, student_id)
);
create index studentdetail_student_id_sort on studentdetail (tenant_id, student_id, id);
create index studentdetail_create_time_sort on studentdetail (tenant_id, create_time, id);
create index studentdetail_student_id_ref on studentdetail (tenant_id, student_id);
create index studentdetail_disability_cert_no_find on studentdetail (tenant_id, disability_cert_no_hash);
create index studentdetail_disability_cert_no_tail_find on studentdetail (tenant_id, disability_cert_no_tail);
create index studentdetail_insurance_no_find on studentdetail (tenant_id, insurance_no_hash);
create index studentdetail_insurance_no_tail_find on studentdetail (tenant_id, insurance_no_tail);
create index studentdetail_emergency_phone_find on studentdetail (tenant_id, emergency_phone_hash);
create index studentdetail_emergency_phone_tail_find on studentdetail (tenant_id, emergency_phone_tail);
alter table studentdetail enable row level security;
alter table studentdetail force row level security;
create policy tenant on studentdetail using (tenant_id = current_setting('app.tenant_id', true)) with check (tenant_id = current_setting('app.tenant_id', true));

create table studentresume (
  tenant_id text not null check (tenant_id ~ '^[0-9]{6}$'),
  id bigint not null,
  school_id bigint not null,
  student_id bigint not null,
  kind text not null check (char_length(kind) <= 32),
  begin_date date not null,
  end_date date,
  org_name text not null check (char_length(org_name) <= 100),
  org_code text check (char_length(org_code) <= 32),
  grade_text text check (char_length(grade_text) <= 30),
  position text check (char_length(position) <= 50),
  witness text check (char_length(witness) <= 50),
  witness_phone bytea,
  witness_phone_hash bytea,
  witness_phone_tail bytea,
  title text check (char_length(title) <= 100),
  level text check (char_length(level) <= 32),
  rank text check (char_length(rank) <= 30),
  doc_no text check (char_length(doc_no) <= 60),
  issued_on date,
  revoke_on date,
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
  unique (tenant_id, school_id, id),
  unique (tenant_id, ext_id),
  constraint studentresume_begin_date_order check (begin_date <= end_date),
  constraint studentresume_issued_on_order check (issued_on <= revoke_on)
);
create index studentresume_begin_date_sort on studentresume (tenant_id, begin_date, id);
create index studentresume_org_name_sort on studentresume (tenant_id, org_name, id);
create index studentresume_create_time_sort on studentresume (tenant_id, create_time, id);
create index studentresume_student_id_ref on studentresume (tenant_id, student_id);
create index studentresume_witness_phone_find on studentresume (tenant_id, witness_phone_hash);
create index studentresume_witness_phone_tail_find on studentresume (tenant_id, witness_phone_tail);
create table studentresume_attach (
  tenant_id text not null check (tenant_id ~ '^[0-9]{6}$'),
  owner_id bigint not null,
  target_id bigint not null,
  ord smallint not null,
  primary key (tenant_id, owner_id, target_id)
);
create index studentresume_attach_target on studentresume_attach (tenant_id, target_id);
alter table studentresume_attach enable row level security;
alter table studentresume_attach force row level security;
create policy tenant on studentresume_attach using (tenant_id = current_setting('app.tenant_id', true)) with check (tenant_id = current_setting('app.tenant_id', true));
alter table studentresume enable row level security;
alter table studentresume force row level security;
create policy tenant on studentresume using (tenant_id = current_setting('app.tenant_id', true)) with check (tenant_id = current_setting('app.tenant_id', true));

create table studentparents (
  tenant_id text not null check (tenant_id ~ '^[0-9]{6}$'),
  id bigint not null,
  school_id bigint not null,
  student_id bigint not null,
  parent_name text not null check (char_length(parent_name) <= 50),
  relation text not null check (char_length(relation) <= 32),
  relation_note text check (char_length(relation_note) <= 50),
  mobile bytea not null,
  mobile_hash bytea,
  mobile_tail bytea,
  id_type text check (char_length(id_type) <= 32),
  id_no bytea,
  id_no_hash bytea,
  id_no_tail bytea,
  nation text check (char_length(nation) <= 32),
  education text check (char_length(education) <= 32),
  work_unit text check (char_length(work_unit) <= 100),
  position text check (char_length(position) <= 50),
  hukou_region_code text references region (code),
  address text check (char_length(address) <= 200),
  is_guardian smallint not null check (is_guardian in (0, 1)),
  is_emergency smallint not null check (is_emergency in (0, 1)),
  contact_priority integer not null check (contact_priority between 1 and 9),
  can_pickup smallint not null check (can_pickup in (0, 1)),
  custody_restricted smallint not null check (custody_restricted in (0, 1)),
  lives_with smallint check (lives_with in (0, 1)),
  notify_sms smallint not null check (notify_sms in (0, 1)),
  notify_app smallint not null check (notify_app in (0, 1)),
  notify_email smallint not null check (notify_email in (0, 1)),
  user_id bigint,
  wechat_open_id text check (char_length(wechat_open_id) <= 64),
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
  unique (tenant_id, school_id, id),
  unique (tenant_id, ext_id),
  constraint studentparents_student_id_mobile_key unique (tenant_id, student_id, mobile_hash),
  constraint studentparents_student_id_contact_priority_key unique (tenant_id, student_id, contact_priority)
);
create index studentparents_parent_name_sort on studentparents (tenant_id, parent_name collate "zh-x-icu", id);
create index studentparents_contact_priority_sort on studentparents (tenant_id, contact_priority, id);
create index studentparents_create_time_sort on studentparents (tenant_id, create_time, id);
create index studentparents_student_id_ref on studentparents (tenant_id, student_id);
create index studentparents_mobile_find on studentparents (tenant_id, mobile_hash);
create index studentparents_mobile_tail_find on studentparents (tenant_id, mobile_tail);
create index studentparents_id_no_find on studentparents (tenant_id, id_no_hash);
create index studentparents_id_no_tail_find on studentparents (tenant_id, id_no_tail);
create index studentparents_user_id_ref on studentparents (tenant_id, user_id);
alter table studentparents enable row level security;
alter table studentparents force row level security;
create policy tenant on studentparents using (tenant_id = current_setting('app.tenant_id', true)) with check (tenant_id = current_setting('app.tenant_id', true));

create table studentclass (
  tenant_id text not null check (tenant_id ~ '^[0-9]{6}$'),
  id bigint not null,
  school_id bigint not null,
  student_id bigint not null,
  class_id bigint not null,
  begin_date date not null,
  end_date date,
  reason text check (char_length(reason) <= 30),
  status smallint not null default 1,
  version integer not null default 1,
  ext_id text check (char_length(ext_id) <= 255),
  create_user bigint,
  create_dept bigint,
  create_time timestamptz not null default now(),
  update_user bigint,
  update_time timestamptz not null default now(),
  primary key (tenant_id, id),
  unique (tenant_id, school_id, id),
  unique (tenant_id, ext_id),
  constraint studentclass_begin_date_order check (begin_date <= end_date)
);
create index studentclass_begin_date_sort on studentclass (tenant_id, begin_date, id);
create index studentclass_create_time_sort on studentclass (tenant_id, create_time, id);
create index studentclass_student_id_ref on studentclass (tenant_id, student_id);
create index studentclass_class_id_ref on studentclass (tenant_id, class_id);
alter table studentclass enable row level security;
alter table studentclass force row level security;
create policy tenant on studentclass using (tenant_id = current_setting('app.tenant_id', true)) with check (tenant_id = current_setting('app.tenant_id', true));

create table studentgroup (
  tenant_id text not null check (tenant_id ~ '^[0-9]{6}$'),
  id bigint not null,
  school_id bigint not null,
  group_code text not null check (char_length(group_code) <= 32),
  group_name text not null check (char_length(group_name) <= 40),
  group_type text not null check (char_length(group_type) <= 32),
  year_id bigint,
  owner_id bigint,
  is_dynamic smallint check (is_dynamic in (0, 1)),
  rule jsonb,
  max_size integer check (max_size between 1 and 10000),
  begin_date date,
  end_date date,
  visible_to text[] not null default '{}',
  sort integer check (sort between 0 and 9999),
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
  unique (tenant_id, school_id, id),
  unique (tenant_id, ext_id),
  constraint studentgroup_school_id_group_code_key unique (tenant_id, school_id, group_code),
  constraint studentgroup_school_id_year_id_group_name_key unique (tenant_id, school_id, year_id, group_name),
  constraint studentgroup_begin_date_order check (begin_date <= end_date)
);
create index studentgroup_sort_sort on studentgroup (tenant_id, sort, id);
create index studentgroup_group_code_sort on studentgroup (tenant_id, group_code, id);
create index studentgroup_group_name_sort on studentgroup (tenant_id, group_name, id);
create index studentgroup_create_time_sort on studentgroup (tenant_id, create_time, id);
create index studentgroup_year_id_ref on studentgroup (tenant_id, year_id);
create index studentgroup_owner_id_ref on studentgroup (tenant_id, owner_id);
alter table studentgroup enable row level security;
alter table studentgroup force row level security;
create policy tenant on studentgroup using (tenant_id = current_setting('app.tenant_id', true)) with check (tenant_id = current_setting('app.tenant_id', true));

create table studentgrouprelevance (
  tenant_id text not null check (tenant_id ~ '^[0-9]{6}$'),
  id bigint not null,
  school_id bigint not null,
  group_id bigint not null,
  student_id bigint not null,
  role text not null check (char_length(role) <= 32),
  begin_date date not null,
  end_date date,
  sort integer check (sort between 0 and 9999),
  status smallint not null default 1,
  version integer not null default 1,
  ext_id text check (char_length(ext_id) <= 255),
  create_user bigint,
  create_dept bigint,
  create_time timestamptz not null default now(),
  update_user bigint,
  update_time timestamptz not null default now(),
  primary key (tenant_id, id),
  unique (tenant_id, school_id, id),
  unique (tenant_id, ext_id),
  constraint studentgrouprelevance_group_id_student_id_key unique (tenant_id, group_id, student_id),
  constraint studentgrouprelevance_begin_date_order check (begin_date <= end_date)
);
create index studentgrouprelevance_sort_sort on studentgrouprelevance (tenant_id, sort, id);
create index studentgrouprelevance_begin_date_sort on studentgrouprelevance (tenant_id, begin_date, id);
create index studentgrouprelevance_create_time_sort on studentgrouprelevance (tenant_id, create_time, id);
create index studentgrouprelevance_group_id_ref on studentgrouprelevance (tenant_id, group_id);
create index studentgrouprelevance_student_id_ref on studentgrouprelevance (tenant_id, student_id);
alter table studentgrouprelevance enable row level security;
alter table studentgrouprelevance force row level security;
create policy tenant on studentgrouprelevance using (tenant_id = current_setting('app.tenant_id', true)) with check (tenant_id = current_setting('app.tenant_id', true));

create table studentmessage (
  tenant_id text not null check (tenant_id ~ '^[0-9]{6}$'),
  id bigint not null,
  school_id bigint not null,
  sender_id bigint not null,
  message_type text not null check (char_length(message_type) <= 32),
  title text not null check (char_length(title) <= 60),
  content text not null check (char_length(content) <= 5000),
  target_type text not null check (char_length(target_type) <= 32),
  target_ids jsonb,
  audience text[] not null default '{}' check (cardinality(audience) > 0),
  channels text[] not null default '{}' check (cardinality(channels) > 0),
  need_receipt smallint check (need_receipt in (0, 1)),
  deadline timestamptz,
  form_schema jsonb,
  send_at timestamptz,
  state text not null check (char_length(state) <= 32),
  status smallint not null default 1,
  version integer not null default 1,
  ext_id text check (char_length(ext_id) <= 255),
  create_user bigint,
  create_dept bigint,
  create_time timestamptz not null default now(),
  update_user bigint,
  update_time timestamptz not null default now(),
  primary key (tenant_id, id),
  unique (tenant_id, school_id, id),
  unique (tenant_id, ext_id)
);
create index studentmessage_send_at_sort on studentmessage (tenant_id, send_at, id);
create index studentmessage_title_sort on studentmessage (tenant_id, title, id);
create index studentmessage_create_time_sort on studentmessage (tenant_id, create_time, id);
create index studentmessage_sender_id_ref on studentmessage (tenant_id, sender_id);
create table studentmessage_attach (
  tenant_id text not null check (tenant_id ~ '^[0-9]{6}$'),
  owner_id bigint not null,
  target_id bigint not null,
  ord smallint not null,
  primary key (tenant_id, owner_id, target_id)
);
create index studentmessage_attach_target on studentmessage_attach (tenant_id, target_id);
alter table studentmessage_attach enable row level security;
alter table studentmessage_attach force row level security;
create policy tenant on studentmessage_attach using (tenant_id = current_setting('app.tenant_id', true)) with check (tenant_id = current_setting('app.tenant_id', true));
alter table studentmessage enable row level security;
alter table studentmessage force row level security;
create policy tenant on studentmessage using (tenant_id = current_setting('app.tenant_id', true)) with check (tenant_id = current_setting('app.tenant_id', true));

alter table dict_biz add constraint dict_biz_parent_id_fkey foreign key (tenant_id, parent_id) references dict_biz (tenant_id, id);

alter table role add constraint role_parent_id_fkey foreign key (tenant_id, parent_id) references role (tenant_id, id);

alter table dept add constraint dept_parent_id_fkey foreign key (tenant_id, parent_id) references dept (tenant_id, id);
alter table dept add constraint dept_leader_id_fkey foreign key (tenant_id, leader_id) references app_user (tenant_id, id);
alter table dept add constraint dept_school_id_fkey foreign key (tenant_id, school_id) references school (tenant_id, id);

alter table sysgrade add constraint sysgrade_next_grade_id_fkey foreign key (tenant_id, next_grade_id) references sysgrade (tenant_id, id);

alter table syssubject_grade add constraint syssubject_grade_owner foreign key (tenant_id, owner_id) references syssubject (tenant_id, id) on delete cascade;
alter table syssubject_grade add constraint syssubject_grade_ids_fkey foreign key (tenant_id, target_id) references sysgrade (tenant_id, id);

alter table app_user_role add constraint app_user_role_owner foreign key (tenant_id, owner_id) references app_user (tenant_id, id) on delete cascade;
alter table app_user_role add constraint app_user_role_id_fkey foreign key (tenant_id, target_id) references role (tenant_id, id);
alter table app_user_dept add constraint app_user_dept_owner foreign key (tenant_id, owner_id) references app_user (tenant_id, id) on delete cascade;
alter table app_user_dept add constraint app_user_dept_id_fkey foreign key (tenant_id, target_id) references dept (tenant_id, id);
alter table app_user_post add constraint app_user_post_owner foreign key (tenant_id, owner_id) references app_user (tenant_id, id) on delete cascade;
alter table app_user_post add constraint app_user_post_id_fkey foreign key (tenant_id, target_id) references post (tenant_id, id);
alter table app_user_subject add constraint app_user_subject_owner foreign key (tenant_id, owner_id) references app_user (tenant_id, id) on delete cascade;
alter table app_user_subject add constraint app_user_subject_ids_fkey foreign key (tenant_id, target_id) references syssubject (tenant_id, id);
alter table app_user add constraint app_user_home_campus_id_fkey foreign key (tenant_id, home_campus_id) references schoolcampus (tenant_id, id);

alter table school add constraint school_principal_id_fkey foreign key (tenant_id, principal_id) references app_user (tenant_id, id);
alter table school add constraint school_logo_fkey foreign key (tenant_id, logo) references attach (tenant_id, id);
alter table school add constraint school_dept_id_fkey foreign key (tenant_id, dept_id) references dept (tenant_id, id);

alter table schoolcampus add constraint schoolcampus_school_id_fkey foreign key (tenant_id, school_id) references school (tenant_id, id);
alter table schoolcampus add constraint schoolcampus_manager_id_fkey foreign key (tenant_id, manager_id) references app_user (tenant_id, id);

alter table schoolfloor add constraint schoolfloor_school_id_fkey foreign key (tenant_id, school_id) references school (tenant_id, id);
alter table schoolfloor add constraint schoolfloor_campus_id_fkey foreign key (tenant_id, school_id, campus_id) references schoolcampus (tenant_id, school_id, id);
alter table schoolfloor add constraint schoolfloor_plan_image_fkey foreign key (tenant_id, plan_image) references attach (tenant_id, id);

alter table schoolclassroom add constraint schoolclassroom_school_id_fkey foreign key (tenant_id, school_id) references school (tenant_id, id);
alter table schoolclassroom add constraint schoolclassroom_campus_id_fkey foreign key (tenant_id, school_id, campus_id) references schoolcampus (tenant_id, school_id, id);
alter table schoolclassroom add constraint schoolclassroom_floor_id_fkey foreign key (tenant_id, school_id, floor_id) references schoolfloor (tenant_id, school_id, id);
alter table schoolclassroom add constraint schoolclassroom_home_class_id_fkey foreign key (tenant_id, school_id, home_class_id) references schoolclass (tenant_id, school_id, id);

alter table schoolyear add constraint schoolyear_school_id_fkey foreign key (tenant_id, school_id) references school (tenant_id, id);

alter table schoolsemester add constraint schoolsemester_school_id_fkey foreign key (tenant_id, school_id) references school (tenant_id, id);
alter table schoolsemester add constraint schoolsemester_year_id_fkey foreign key (tenant_id, school_id, year_id) references schoolyear (tenant_id, school_id, id);

alter table schoolsubject add constraint schoolsubject_school_id_fkey foreign key (tenant_id, school_id) references school (tenant_id, id);
alter table schoolsubject add constraint schoolsubject_sys_subject_id_fkey foreign key (tenant_id, sys_subject_id) references syssubject (tenant_id, id);
alter table schoolsubject add constraint schoolsubject_leader_id_fkey foreign key (tenant_id, leader_id) references app_user (tenant_id, id);

alter table schoolclass add constraint schoolclass_school_id_fkey foreign key (tenant_id, school_id) references school (tenant_id, id);
alter table schoolclass add constraint schoolclass_campus_id_fkey foreign key (tenant_id, school_id, campus_id) references schoolcampus (tenant_id, school_id, id);
alter table schoolclass add constraint schoolclass_year_id_fkey foreign key (tenant_id, school_id, year_id) references schoolyear (tenant_id, school_id, id);
alter table schoolclass add constraint schoolclass_grade_id_fkey foreign key (tenant_id, grade_id) references sysgrade (tenant_id, id);
alter table schoolclass add constraint schoolclass_prev_class_id_fkey foreign key (tenant_id, school_id, prev_class_id) references schoolclass (tenant_id, school_id, id);
alter table schoolclass add constraint schoolclass_next_class_id_fkey foreign key (tenant_id, school_id, next_class_id) references schoolclass (tenant_id, school_id, id);
alter table schoolclass add constraint schoolclass_head_teacher_id_fkey foreign key (tenant_id, head_teacher_id) references app_user (tenant_id, id);
alter table schoolclass_deputy_teacher add constraint schoolclass_deputy_teacher_owner foreign key (tenant_id, owner_id) references schoolclass (tenant_id, id) on delete cascade;
alter table schoolclass_deputy_teacher add constraint schoolclass_deputy_teacher_ids_fkey foreign key (tenant_id, target_id) references app_user (tenant_id, id);
alter table schoolclass add constraint schoolclass_classroom_id_fkey foreign key (tenant_id, school_id, classroom_id) references schoolclassroom (tenant_id, school_id, id);

alter table student add constraint student_school_id_fkey foreign key (tenant_id, school_id) references school (tenant_id, id);
alter table student add constraint student_photo_fkey foreign key (tenant_id, photo) references attach (tenant_id, id);
alter table student add constraint student_grade_id_fkey foreign key (tenant_id, grade_id) references sysgrade (tenant_id, id);
alter table student add constraint student_class_id_fkey foreign key (tenant_id, school_id, class_id) references schoolclass (tenant_id, school_id, id);
alter table student add constraint student_user_id_fkey foreign key (tenant_id, user_id) references app_user (tenant_id, id);

alter table schoolteachclass add constraint schoolteachclass_school_id_fkey foreign key (tenant_id, school_id) references school (tenant_id, id);
alter table schoolteachclass add constraint schoolteachclass_semester_id_fkey foreign key (tenant_id, school_id, semester_id) references schoolsemester (tenant_id, school_id, id);
alter table schoolteachclass_grade add constraint schoolteachclass_grade_owner foreign key (tenant_id, owner_id) references schoolteachclass (tenant_id, id) on delete cascade;
alter table schoolteachclass_grade add constraint schoolteachclass_grade_ids_fkey foreign key (tenant_id, target_id) references sysgrade (tenant_id, id);
alter table schoolteachclass add constraint schoolteachclass_subject_id_fkey foreign key (tenant_id, school_id, subject_id) references schoolsubject (tenant_id, school_id, id);
alter table schoolteachclass_class add constraint schoolteachclass_class_owner foreign key (tenant_id, owner_id) references schoolteachclass (tenant_id, id) on delete cascade;
alter table schoolteachclass_class add constraint schoolteachclass_class_ids_fkey foreign key (tenant_id, target_id) references schoolclass (tenant_id, id);
alter table schoolteachclass_student add constraint schoolteachclass_student_owner foreign key (tenant_id, owner_id) references schoolteachclass (tenant_id, id) on delete cascade;
alter table schoolteachclass_student add constraint schoolteachclass_student_ids_fkey foreign key (tenant_id, target_id) references student (tenant_id, id);
alter table schoolteachclass add constraint schoolteachclass_teacher_id_fkey foreign key (tenant_id, teacher_id) references app_user (tenant_id, id);
alter table schoolteachclass_assistant add constraint schoolteachclass_assistant_owner foreign key (tenant_id, owner_id) references schoolteachclass (tenant_id, id) on delete cascade;
alter table schoolteachclass_assistant add constraint schoolteachclass_assistant_ids_fkey foreign key (tenant_id, target_id) references app_user (tenant_id, id);
alter table schoolteachclass add constraint schoolteachclass_classroom_id_fkey foreign key (tenant_id, school_id, classroom_id) references schoolclassroom (tenant_id, school_id, id);

alter table teacherclass add constraint teacherclass_school_id_fkey foreign key (tenant_id, school_id) references school (tenant_id, id);
alter table teacherclass add constraint teacherclass_semester_id_fkey foreign key (tenant_id, school_id, semester_id) references schoolsemester (tenant_id, school_id, id);
alter table teacherclass add constraint teacherclass_user_id_fkey foreign key (tenant_id, user_id) references app_user (tenant_id, id);
alter table teacherclass add constraint teacherclass_class_id_fkey foreign key (tenant_id, school_id, class_id) references schoolclass (tenant_id, school_id, id);
alter table teacherclass add constraint teacherclass_teach_class_id_fkey foreign key (tenant_id, school_id, teach_class_id) references schoolteachclass (tenant_id, school_id, id);
alter table teacherclass add constraint teacherclass_subject_id_fkey foreign key (tenant_id, school_id, subject_id) references schoolsubject (tenant_id, school_id, id);

alter table classschedule add constraint classschedule_school_id_fkey foreign key (tenant_id, school_id) references school (tenant_id, id);
alter table classschedule add constraint classschedule_semester_id_fkey foreign key (tenant_id, school_id, semester_id) references schoolsemester (tenant_id, school_id, id);
alter table classschedule add constraint classschedule_class_id_fkey foreign key (tenant_id, school_id, class_id) references schoolclass (tenant_id, school_id, id);
alter table classschedule add constraint classschedule_teach_class_id_fkey foreign key (tenant_id, school_id, teach_class_id) references schoolteachclass (tenant_id, school_id, id);
alter table classschedule add constraint classschedule_subject_id_fkey foreign key (tenant_id, school_id, subject_id) references schoolsubject (tenant_id, school_id, id);
alter table classschedule add constraint classschedule_teacher_id_fkey foreign key (tenant_id, teacher_id) references app_user (tenant_id, id);
alter table classschedule add constraint classschedule_classroom_id_fkey foreign key (tenant_id, school_id, classroom_id) references schoolclassroom (tenant_id, school_id, id);

alter table studentdetail add constraint studentdetail_school_id_fkey foreign key (tenant_id, school_id) references school (tenant_id, id);
alter table studentdetail add constraint studentdetail_student_id_fkey foreign key (tenant_id, school_id, student_id) references student (tenant_id, school_id, id);

alter table studentresume add constraint studentresume_school_id_fkey foreign key (tenant_id, school_id) references school (tenant_id, id);
alter table studentresume add constraint studentresume_student_id_fkey foreign key (tenant_id, school_id, student_id) references student (tenant_id, school_id, id);
alter table studentresume_attach add constraint studentresume_attach_owner foreign key (tenant_id, owner_id) references studentresume (tenant_id, id) on delete cascade;
alter table studentresume_attach add constraint studentresume_attach_ids_fkey foreign key (tenant_id, target_id) references attach (tenant_id, id);

alter table studentparents add constraint studentparents_school_id_fkey foreign key (tenant_id, school_id) references school (tenant_id, id);
alter table studentparents add constraint studentparents_student_id_fkey foreign key (tenant_id, school_id, student_id) references student (tenant_id, school_id, id);
alter table studentparents add constraint studentparents_user_id_fkey foreign key (tenant_id, user_id) references app_user (tenant_id, id);

alter table studentclass add constraint studentclass_school_id_fkey foreign key (tenant_id, school_id) references school (tenant_id, id);
alter table studentclass add constraint studentclass_student_id_fkey foreign key (tenant_id, school_id, student_id) references student (tenant_id, school_id, id);
alter table studentclass add constraint studentclass_class_id_fkey foreign key (tenant_id, school_id, class_id) references schoolclass (tenant_id, school_id, id);

alter table studentgroup add constraint studentgroup_school_id_fkey foreign key (tenant_id, school_id) references school (tenant_id, id);
alter table studentgroup add constraint studentgroup_year_id_fkey foreign key (tenant_id, school_id, year_id) references schoolyear (tenant_id, school_id, id);
alter table studentgroup add constraint studentgroup_owner_id_fkey foreign key (tenant_id, owner_id) references app_user (tenant_id, id);

alter table studentgrouprelevance add constraint studentgrouprelevance_school_id_fkey foreign key (tenant_id, school_id) references school (tenant_id, id);
alter table studentgrouprelevance add constraint studentgrouprelevance_group_id_fkey foreign key (tenant_id, school_id, group_id) references studentgroup (tenant_id, school_id, id);
alter table studentgrouprelevance add constraint studentgrouprelevance_student_id_fkey foreign key (tenant_id, school_id, student_id) references student (tenant_id, school_id, id);

alter table studentmessage add constraint studentmessage_school_id_fkey foreign key (tenant_id, school_id) references school (tenant_id, id);
alter table studentmessage add constraint studentmessage_sender_id_fkey foreign key (tenant_id, sender_id) references app_user (tenant_id, id);
alter table studentmessage_attach add constraint studentmessage_attach_owner foreign key (tenant_id, owner_id) references studentmessage (tenant_id, id) on delete cascade;
alter table studentmessage_attach add constraint studentmessage_attach_ids_fkey foreign key (tenant_id, target_id) references attach (tenant_id, id);

-- What a definition cannot say, and the database can judge.

-- The tenant's own administrators; set when the tenant is made and by no call.
alter table role add column is_admin smallint not null default 0 check (is_admin in (0, 1));

alter table credential add foreign key (tenant_id, user_id) references app_user (tenant_id, id) on delete cascade;
alter table session add foreign key (tenant_id, user_id) references app_user (tenant_id, id) on delete cascade;
alter table role_menu add foreign key (tenant_id, role_id) references role (tenant_id, id) on delete cascade;

alter table schoolfloor add constraint schoolfloor_floor_no_not_zero check (floor_no <> 0);
alter table schoolclassroom add constraint schoolclassroom_exam_capacity_fits check (exam_capacity <= capacity);
alter table schoolsubject add constraint schoolsubject_pass_score_fits check (pass_score <= full_score);

-- R2: years of a school do not overlap, nor do the semesters of a year.
alter table schoolyear add constraint schoolyear_overlap exclude using gist
  (tenant_id with =, school_id with =, daterange(begin_date, end_date, '[]') with &&);
alter table schoolyear add constraint schoolyear_length check (end_date - begin_date + 1 between 240 and 400);
alter table schoolsemester add constraint schoolsemester_overlap exclude using gist
  (tenant_id with =, year_id with =, daterange(begin_date, end_date, '[]') with &&);

-- R4: a pupil sits in one class at a time.
alter table studentclass add constraint studentclass_overlap exclude using gist
  (tenant_id with =, student_id with =, daterange(begin_date, end_date, '[)') with &&);

-- R13: one main teacher per class and subject at a time.
alter table teacherclass add constraint teacherclass_class_main exclude using gist
  (tenant_id with =, semester_id with =, class_id with =, subject_id with =, daterange(begin_date, end_date, '[]') with &&)
  where (role = '1' and class_id is not null);
alter table teacherclass add constraint teacherclass_teach_class_main exclude using gist
  (tenant_id with =, semester_id with =, teach_class_id with =, subject_id with =, daterange(begin_date, end_date, '[]') with &&)
  where (role = '1' and teach_class_id is not null);

-- One father and one mother per pupil.
create unique index studentparents_one_father on studentparents (tenant_id, student_id) where relation = '51';
create unique index studentparents_one_mother on studentparents (tenant_id, student_id) where relation = '52';

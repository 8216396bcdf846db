-- What the database itself judges of schools, campuses, floors and pupils, whoever writes. Triggers look at what is written
-- from now on: rows that stand, and dumps that are brought back, are as they were.

-- Nothing was founded, and nobody born, after today. The argument is the constraint's name.
create function public.refuse_future() returns trigger language plpgsql
  set search_path = pg_catalog, public, pg_temp as $$
begin
  raise exception 'not later than today' using errcode = 'check_violation', constraint = tg_argv[0], table = tg_table_name;
end $$;
create trigger school_founded_on_past_new after insert on school
  for each row when (new.founded_on > (now() at time zone 'Asia/Shanghai')::date) execute function public.refuse_future('school_founded_on_past');
create trigger school_founded_on_past after update of founded_on on school
  for each row when (new.founded_on is distinct from old.founded_on and new.founded_on > (now() at time zone 'Asia/Shanghai')::date) execute function public.refuse_future('school_founded_on_past');
create trigger student_birth_date_past_new after insert on student
  for each row when (new.birth_date > (now() at time zone 'Asia/Shanghai')::date) execute function public.refuse_future('student_birth_date_past');
create trigger student_birth_date_past after update of birth_date on student
  for each row when (new.birth_date is distinct from old.birth_date and new.birth_date > (now() at time zone 'Asia/Shanghai')::date) execute function public.refuse_future('student_birth_date_past');
create trigger app_user_birthday_past_new after insert on app_user
  for each row when (new.birthday > (now() at time zone 'Asia/Shanghai')::date) execute function public.refuse_future('app_user_birthday_past');
create trigger app_user_birthday_past after update of birthday on app_user
  for each row when (new.birthday is distinct from old.birthday and new.birthday > (now() at time zone 'Asia/Shanghai')::date) execute function public.refuse_future('app_user_birthday_past');

-- A school lies in a county, or in a city that has none.
create function public.refuse_wide_region() returns trigger language plpgsql
  set search_path = pg_catalog, public, pg_temp as $$
begin
  if exists (select 1 from public.region r where r.code = new.region_code and r.level < 3
      and exists (select 1 from public.region c where c.parent_code = r.code and c.level <= 3 and c.valid_to is null)) then
    raise exception 'no county' using errcode = 'check_violation', constraint = 'school_region_is_county', table = 'school';
  end if;
  return null;
end $$;
create trigger school_region_is_county_new after insert on school
  for each row execute function public.refuse_wide_region();
create trigger school_region_is_county after update of region_code on school
  for each row when (new.region_code is distinct from old.region_code) execute function public.refuse_wide_region();

-- A school that has had a campus has a main one when all is done: the mark moves in one step.
create function public.refuse_no_main_campus() returns trigger language plpgsql
  set search_path = pg_catalog, public, pg_temp as $$
declare
  tenant text := case when tg_op = 'INSERT' then new.tenant_id else old.tenant_id end;
  school bigint := case when tg_op = 'INSERT' then new.school_id else old.school_id end;
begin
  if exists (select 1 from public.school s where s.tenant_id = tenant and s.id = school)
    and not exists (select 1 from public.schoolcampus c where c.tenant_id = tenant and c.school_id = school and c.is_main = 1) then
    raise exception 'no main campus' using errcode = 'check_violation', constraint = 'schoolcampus_has_main', table = 'schoolcampus';
  end if;
  return null;
end $$;
create constraint trigger schoolcampus_has_main_new after insert on schoolcampus
  deferrable initially deferred for each row when (new.is_main = 0) execute function public.refuse_no_main_campus();
create constraint trigger schoolcampus_has_main after delete on schoolcampus
  deferrable initially deferred for each row when (old.is_main = 1) execute function public.refuse_no_main_campus();
create constraint trigger schoolcampus_keeps_main after update of is_main, school_id on schoolcampus
  deferrable initially deferred for each row when (old.is_main = 1) execute function public.refuse_no_main_campus();

-- A floor without a name of its own is called by its building and number.
create function public.name_floor() returns trigger language plpgsql
  set search_path = pg_catalog, public, pg_temp as $$
begin
  new.floor_name := new.building_name || new.floor_no || '层';
  return new;
end $$;
create trigger schoolfloor_named before insert or update of floor_name on schoolfloor
  for each row when (coalesce(new.floor_name, '') = '') execute function public.name_floor();

-- How many are in a class is counted, whatever is said: the row is held while it is.
create function public.count_class() returns trigger language plpgsql
  set search_path = pg_catalog, public, pg_temp as $$
begin
  new.student_count := (select count(*) from public.student s where s.tenant_id = new.tenant_id and s.class_id = new.id and s.status = 1);
  return new;
end $$;
create trigger schoolclass_counted before update of student_count on schoolclass
  for each row when (new.student_count is distinct from old.student_count) execute function public.count_class();

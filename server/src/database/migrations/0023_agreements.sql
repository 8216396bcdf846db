-- What fields of one row must agree on. Rows that did not are put right first, by what they say themselves.

-- Week 1 begins on the Monday of its own week, no further than 7 days from the first day; no week begins after the last.
update schoolsemester set first_week_monday = date_trunc('week', first_week_monday)::date
  where isfinite(first_week_monday) and extract(isodow from first_week_monday) <> 1;
update schoolsemester set first_week_monday = date_trunc('week', begin_date)::date
  where abs(first_week_monday - begin_date) > 7 or first_week_monday > end_date;
update schoolsemester set week_count = (end_date - first_week_monday) / 7 + 1
  where first_week_monday + 7 * (week_count - 1) > end_date;
alter table schoolsemester
  add constraint schoolsemester_first_week_is_monday check (extract(isodow from first_week_monday) = 1),
  add constraint schoolsemester_first_week_at_begin check (abs(first_week_monday - begin_date) <= 7),
  add constraint schoolsemester_weeks_fit check (first_week_monday + 7 * (week_count - 1) <= end_date);

-- A name that holds another year than the start year: the one of the two that the first day bears out is right.
update schoolyear y set start_year = substring(year_name from '(?:19|20|21)[0-9]{2}')::int
  where substring(year_name from '(?:19|20|21)[0-9]{2}')::int = extract(year from begin_date)
    and start_year <> extract(year from begin_date)
    and not exists (select 1 from schoolyear o where o.tenant_id = y.tenant_id and o.school_id = y.school_id and o.start_year = extract(year from y.begin_date));
update schoolyear set year_name = left(start_year || '-' || start_year + 1 || ' ' || year_name, 20)
  where substring(year_name from '(?:19|20|21)[0-9]{2}')::int <> start_year;
alter table schoolyear
  add constraint schoolyear_named_by_start check (substring(year_name from '(?:19|20|21)[0-9]{2}')::int = start_year);

-- The authority issues the code: its first two digits are the type.
update school set school_type = left(school_code, 2)
  where school_code ~ '^[0-9]{2}' and school_type ~ '^[0-9]{2}' and left(school_code, 2) <> left(school_type, 2);
alter table school
  add constraint school_type_of_code check (school_code !~ '^[0-9]{2}' or school_type !~ '^[0-9]{2}' or left(school_code, 2) = left(school_type, 2));

-- A floor without a name is called by its building and number.
update schoolfloor set floor_name = building_name || floor_no || '层' where coalesce(floor_name, '') = '';

-- Nobody enters before birth. Such a day is nothing to go by: it is missing, and stands in the remarks.
update student
  set remark = left(concat_ws('；', nullif(remark, ''), '入学年月原为' || enroll_date || '，早于出生日期，请核对'), 500), enroll_date = null
  where enroll_date < birth_date;
alter table student add constraint student_birth_date_order check (birth_date <= enroll_date);

-- Smallest and largest, in this order.
update schoolteachclass set min_size = max_size, max_size = min_size where min_size > max_size;
alter table schoolteachclass add constraint schoolteachclass_sizes_order check (min_size <= max_size);
update sysgrade set min_age = max_age, max_age = min_age where min_age > max_age;
alter table sysgrade add constraint sysgrade_ages_order check (min_age <= max_age);

-- A school that has campuses has a main one.
update schoolcampus c set is_main = 1
  where not exists (select 1 from schoolcampus m where m.tenant_id = c.tenant_id and m.school_id = c.school_id and m.is_main = 1)
    and c.id = (select id from schoolcampus f where f.tenant_id = c.tenant_id and f.school_id = c.school_id order by status desc, sort, id limit 1);
-- One that is closed has none in use.
update schoolcampus c set status = 0
  from school s where s.tenant_id = c.tenant_id and s.id = c.school_id and s.status = 3 and c.status = 1;

-- Those who are enrolled are counted.
update schoolclass c set student_count = n.count
  from (select c.tenant_id, c.id, count(s.id)::int as count from schoolclass c
      left join student s on s.tenant_id = c.tenant_id and s.class_id = c.id and s.status = 1 group by c.tenant_id, c.id) n
  where n.tenant_id = c.tenant_id and n.id = c.id and c.student_count is distinct from n.count;

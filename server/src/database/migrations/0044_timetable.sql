-- Terms and plans: what a grade is in a year, bell times, the days that are otherwise, and timetables, of which each week has
-- one that is published. Double booking of a class, a teacher, a room or a pupil is judged here, whoever writes
-- (docs/decisions/0019-occupancy.md).
create table schoolgrade (
  tenant_id text not null check (tenant_id ~ '^[0-9]{6}$'),
  id bigint not null,
  school_id bigint not null,
  year_id bigint not null,
  grade_id bigint not null,
  cohort_year integer not null check (cohort_year between 1950 and 2100),
  head_teacher_id bigint,
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
  constraint schoolgrade_year_id_grade_id_key unique (tenant_id, year_id, grade_id)
);
create index schoolgrade_cohort_year_sort on schoolgrade (tenant_id, cohort_year, id);
create index schoolgrade_create_time_sort on schoolgrade (tenant_id, create_time, id);
create index schoolgrade_year_id_ref on schoolgrade (tenant_id, year_id);
create index schoolgrade_grade_id_ref on schoolgrade (tenant_id, grade_id);
create index schoolgrade_head_teacher_id_ref on schoolgrade (tenant_id, head_teacher_id);
alter table schoolgrade enable row level security;
create policy tenant on schoolgrade using (tenant_id = current_setting('app.tenant_id', true)) with check (tenant_id = current_setting('app.tenant_id', true));

create table schoolperiod (
  tenant_id text not null check (tenant_id ~ '^[0-9]{6}$'),
  id bigint not null,
  school_id bigint not null,
  campus_id bigint,
  season text not null check (char_length(season) <= 32),
  kind text not null check (char_length(kind) <= 32),
  period_no integer check (period_no between 1 and 14),
  period_name text not null check (char_length(period_name) <= 20),
  begin_time text not null check (char_length(begin_time) <= 5),
  end_time text not null check (char_length(end_time) <= 5),
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
  unique (tenant_id, ext_id)
);
create index schoolperiod_begin_time_sort on schoolperiod (tenant_id, begin_time, id);
create index schoolperiod_period_no_sort on schoolperiod (tenant_id, period_no, id);
create index schoolperiod_create_time_sort on schoolperiod (tenant_id, create_time, id);
create index schoolperiod_campus_id_ref on schoolperiod (tenant_id, campus_id);
create table schoolperiod_grade (
  tenant_id text not null check (tenant_id ~ '^[0-9]{6}$'),
  owner_id bigint not null,
  target_id bigint not null,
  ord smallint not null,
  primary key (tenant_id, owner_id, target_id)
);
create index schoolperiod_grade_target on schoolperiod_grade (tenant_id, target_id);
alter table schoolperiod_grade enable row level security;
create policy tenant on schoolperiod_grade using (tenant_id = current_setting('app.tenant_id', true)) with check (tenant_id = current_setting('app.tenant_id', true));
alter table schoolperiod enable row level security;
create policy tenant on schoolperiod using (tenant_id = current_setting('app.tenant_id', true)) with check (tenant_id = current_setting('app.tenant_id', true));

create table schoolcalendarday (
  tenant_id text not null check (tenant_id ~ '^[0-9]{6}$'),
  id bigint not null,
  school_id bigint not null,
  day date not null,
  day_type text not null check (char_length(day_type) <= 32),
  use_weekday text check (char_length(use_weekday) <= 32),
  day_name text check (char_length(day_name) <= 40),
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
  constraint schoolcalendarday_school_id_day_key unique (tenant_id, school_id, day)
);
create index schoolcalendarday_day_sort on schoolcalendarday (tenant_id, day, id);
create index schoolcalendarday_create_time_sort on schoolcalendarday (tenant_id, create_time, id);
alter table schoolcalendarday enable row level security;
create policy tenant on schoolcalendarday using (tenant_id = current_setting('app.tenant_id', true)) with check (tenant_id = current_setting('app.tenant_id', true));

create table timetableplan (
  tenant_id text not null check (tenant_id ~ '^[0-9]{6}$'),
  id bigint not null,
  school_id bigint not null,
  semester_id bigint not null,
  plan_name text not null check (char_length(plan_name) <= 40),
  begin_week integer check (begin_week between 1 and 30),
  end_week integer check (end_week between 1 and 30),
  parent_plan_id bigint,
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
  constraint timetableplan_semester_id_plan_name_key unique (tenant_id, semester_id, plan_name)
);
create index timetableplan_plan_name_sort on timetableplan (tenant_id, plan_name, id);
create index timetableplan_create_time_sort on timetableplan (tenant_id, create_time, id);
create index timetableplan_semester_id_ref on timetableplan (tenant_id, semester_id);
create index timetableplan_parent_plan_id_ref on timetableplan (tenant_id, parent_plan_id);
alter table timetableplan enable row level security;
create policy tenant on timetableplan using (tenant_id = current_setting('app.tenant_id', true)) with check (tenant_id = current_setting('app.tenant_id', true));

alter table schoolgrade add constraint schoolgrade_school_id_fkey foreign key (tenant_id, school_id) references school (tenant_id, id);
alter table schoolgrade add constraint schoolgrade_year_id_fkey foreign key (tenant_id, school_id, year_id) references schoolyear (tenant_id, school_id, id);
alter table schoolgrade add constraint schoolgrade_grade_id_fkey foreign key (tenant_id, grade_id) references sysgrade (tenant_id, id);
alter table schoolgrade add constraint schoolgrade_head_teacher_id_fkey foreign key (tenant_id, head_teacher_id) references app_user (tenant_id, id);

alter table schoolperiod add constraint schoolperiod_school_id_fkey foreign key (tenant_id, school_id) references school (tenant_id, id);
alter table schoolperiod add constraint schoolperiod_campus_id_fkey foreign key (tenant_id, school_id, campus_id) references schoolcampus (tenant_id, school_id, id);
alter table schoolperiod_grade add constraint schoolperiod_grade_owner foreign key (tenant_id, owner_id) references schoolperiod (tenant_id, id) on delete cascade;
alter table schoolperiod_grade add constraint schoolperiod_grade_ids_fkey foreign key (tenant_id, target_id) references sysgrade (tenant_id, id);

alter table schoolcalendarday add constraint schoolcalendarday_school_id_fkey foreign key (tenant_id, school_id) references school (tenant_id, id);

alter table timetableplan add constraint timetableplan_school_id_fkey foreign key (tenant_id, school_id) references school (tenant_id, id);
alter table timetableplan add constraint timetableplan_semester_id_fkey foreign key (tenant_id, school_id, semester_id) references schoolsemester (tenant_id, school_id, id);
alter table timetableplan add constraint timetableplan_parent_plan_id_fkey foreign key (tenant_id, school_id, parent_plan_id) references timetableplan (tenant_id, school_id, id);

-- A bell time begins before it ends; both are written 08:00.
alter table schoolperiod add constraint schoolperiod_times_order check (begin_time < end_time);
alter table schoolperiod add constraint schoolperiod_times_shape
  check (begin_time ~ '^([01][0-9]|2[0-3]):[0-5][0-9]$' and end_time ~ '^([01][0-9]|2[0-3]):[0-5][0-9]$');

-- R9: a week of a semester has one published plan.
alter table timetableplan add constraint timetableplan_weeks_order check (begin_week <= end_week);
alter table timetableplan add constraint timetableplan_published_weeks
  check (status <> 2 or (begin_week is not null and end_week is not null));
alter table timetableplan add constraint timetableplan_week_once exclude using gist
  (tenant_id with =, semester_id with =, int4range(begin_week, end_week, '[]') with &&) where (status = 2);

alter table classschedule add column plan_id bigint;
create index classschedule_plan_id_ref on classschedule (tenant_id, plan_id);
alter table classschedule add constraint classschedule_plan_id_fkey
  foreign key (tenant_id, school_id, plan_id) references timetableplan (tenant_id, school_id, id);

-- What published lessons take: a class, teacher, room or pupil (C, T, R, S) in a period on a set of days. A seat leaves room
-- for others: one of the places of a playground; of a class, what a teaching class of some of its pupils takes. R6 and R7
-- are its one constraint.
create table scheduleoccupancy (
  tenant_id text not null check (tenant_id ~ '^[0-9]{6}$'),
  schedule_id bigint not null,
  resource_type text not null check (resource_type in ('C', 'T', 'R', 'S')),
  resource_id bigint not null,
  period_no integer not null,
  days datemultirange not null check (not isempty(days)),
  seat int8range not null check (not isempty(seat)),
  primary key (tenant_id, schedule_id, resource_type, resource_id, period_no, seat),
  constraint scheduleoccupancy_free exclude using gist
    (tenant_id with =, resource_type with =, resource_id with =, period_no with =, seat with &&, days with &&),
  constraint scheduleoccupancy_schedule foreign key (tenant_id, schedule_id) references classschedule (tenant_id, id) on delete cascade
);
alter table scheduleoccupancy enable row level security;
create policy tenant on scheduleoccupancy using (tenant_id = current_setting('app.tenant_id', true)) with check (tenant_id = current_setting('app.tenant_id', true));

-- The days on which lessons of published plans are taught: those of their weeks and weekday, within the semester. A make-up
-- day is taught as the weekday that the calendar says. A holiday leaves the slot taken, so that no plan is in order only
-- because of the weeks that fall out.
create function public.lesson_days(tenant text, lessons bigint[]) returns table (lesson_id bigint, days datemultirange)
  language sql stable set search_path = pg_catalog, public, pg_temp as $$
  with plans as materialized (
    select distinct p.id, p.school_id, p.begin_week, least(p.end_week, m.week_count) as end_week, m.first_week_monday, m.begin_date, m.end_date
    from public.classschedule l
      join public.timetableplan p on p.tenant_id = l.tenant_id and p.id = l.plan_id and p.status = 2
      join public.schoolsemester m on m.tenant_id = p.tenant_id and m.id = p.semester_id
    where l.tenant_id = tenant and l.id = any(lessons)
  ), taught as materialized (
    select p.id as plan_id, w.week, d.day,
      case when c.day_type = '3' and c.use_weekday is not null then c.use_weekday else k.weekday::text end as weekday
    from plans p
      cross join lateral generate_series(p.begin_week, p.end_week) as w(week)
      cross join generate_series(1, 7) as k(weekday)
      cross join lateral (select p.first_week_monday + 7 * (w.week - 1) + k.weekday - 1 as day) d
      left join public.schoolcalendarday c on c.tenant_id = tenant and c.school_id = p.school_id and c.day = d.day
    where d.day between p.begin_date and p.end_date
  )
  select l.id, range_agg(daterange(t.day, t.day + 1))
  from public.classschedule l join taught t on t.plan_id = l.plan_id and t.weekday = l.weekday
  where l.tenant_id = tenant and l.id = any(lessons) and case l.week_type
    when '0' then true
    when '1' then t.week % 2 = 1
    when '2' then t.week % 2 = 0
    else l.weeks @> to_jsonb(t.week) end
  group by l.id
$$;

-- Takes for these lessons what they need now, in place of what they took; nothing where their plan is not published. Of a
-- room for several lessons at once, each day the lowest place that is free: the room is held while that is decided.
create function public.occupy_lessons(tenant text, lessons bigint[]) returns void
  language plpgsql set search_path = pg_catalog, public, pg_temp as $$
declare
  crowded record;
begin
  delete from public.scheduleoccupancy where tenant_id = tenant and schedule_id = any(lessons);
  insert into public.scheduleoccupancy (tenant_id, schedule_id, resource_type, resource_id, period_no, days, seat)
  with lesson as materialized (
    select l.id, l.class_id, l.teach_class_id, l.teacher_id, l.period_no, l.span, d.days, t.kind,
      coalesce(l.classroom_id, t.classroom_id, c.classroom_id) as room_id
    from public.lesson_days(tenant, lessons) d
      join public.classschedule l on l.tenant_id = tenant and l.id = d.lesson_id
      left join public.schoolclass c on c.tenant_id = tenant and c.id = l.class_id
      left join public.schoolteachclass t on t.tenant_id = tenant and t.id = l.teach_class_id
  ), claim as (
    select id, 'C' as type, class_id as resource, int8range(null, null) as seat from lesson where class_id is not null
    union all
    select e.id, 'C', k.target_id, int8range(null, null) from lesson e
      join public.schoolteachclass_class k on k.tenant_id = tenant and k.owner_id = e.teach_class_id
      where e.kind in ('1', '3')
    union
    select e.id, 'C', s.class_id, int8range(e.teach_class_id, e.teach_class_id, '[]') from lesson e
      join public.schoolteachclass_student k on k.tenant_id = tenant and k.owner_id = e.teach_class_id
      join public.student s on s.tenant_id = tenant and s.id = k.target_id
      where e.kind in ('2', '4') and s.class_id is not null
    union all
    select e.id, 'S', k.target_id, int8range(null, null) from lesson e
      join public.schoolteachclass_student k on k.tenant_id = tenant and k.owner_id = e.teach_class_id
      where e.kind in ('2', '4')
    union all
    select id, 'T', teacher_id, int8range(null, null) from lesson
    union all
    select e.id, 'R', r.id, int8range(null, null) from lesson e
      join public.schoolclassroom r on r.tenant_id = tenant and r.id = e.room_id and r.concurrency = 1
  )
  select tenant, c.id, c.type, c.resource, n, e.days, c.seat
  from claim c join lesson e on e.id = c.id cross join lateral generate_series(e.period_no, e.period_no + e.span - 1) n
  order by c.type, c.resource, n;

  if not exists (select from public.schoolclassroom where tenant_id = tenant and concurrency > 1) then
    return;
  end if;
  perform from public.schoolclassroom r where r.tenant_id = tenant and r.concurrency > 1 and r.id in (
      select coalesce(l.classroom_id, t.classroom_id, c.classroom_id) from public.classschedule l
        left join public.schoolclass c on c.tenant_id = tenant and c.id = l.class_id
        left join public.schoolteachclass t on t.tenant_id = tenant and t.id = l.teach_class_id
      where l.tenant_id = tenant and l.id = any(lessons))
    order by r.id for no key update;
  for crowded in
    select l.id, r.id as room_id, r.concurrency, n as period_no, d.days
    from public.lesson_days(tenant, lessons) d
      join public.classschedule l on l.tenant_id = tenant and l.id = d.lesson_id
      left join public.schoolclass c on c.tenant_id = tenant and c.id = l.class_id
      left join public.schoolteachclass t on t.tenant_id = tenant and t.id = l.teach_class_id
      join public.schoolclassroom r on r.tenant_id = tenant and r.id = coalesce(l.classroom_id, t.classroom_id, c.classroom_id)
        and r.concurrency > 1
      cross join lateral generate_series(l.period_no, l.period_no + l.span - 1) n
    order by r.id, n, l.id
  loop
    insert into public.scheduleoccupancy (tenant_id, schedule_id, resource_type, resource_id, period_no, days, seat)
    select tenant, crowded.id, 'R', crowded.room_id, crowded.period_no, range_agg(daterange(x.day, x.day + 1)), int8range(x.place, x.place, '[]')
    from (
      select g.day, coalesce((
          select min(place) from generate_series(1, crowded.concurrency) place where not exists (
            select from public.scheduleoccupancy o where o.tenant_id = tenant and o.resource_type = 'R' and o.resource_id = crowded.room_id
              and o.period_no = crowded.period_no and o.seat @> place::bigint and o.days @> g.day)
        ), crowded.concurrency) as place
      from unnest(crowded.days) span cross join lateral (select day::date from generate_series(lower(span), upper(span) - 1, interval '1 day') day) g
    ) x group by x.place;
  end loop;
end $$;

-- Lessons that stand move into one published plan of their semester; one that collides with an earlier one waits in a draft.
-- A plan has the id of the first lesson in it: ids are unique among the rows of one table.
insert into timetableplan (tenant_id, id, school_id, semester_id, plan_name, begin_week, end_week, status)
  select l.tenant_id, min(l.id), l.school_id, l.semester_id, '课表', 1, m.week_count, 2
  from classschedule l join schoolsemester m on m.tenant_id = l.tenant_id and m.id = l.semester_id
  group by l.tenant_id, l.school_id, l.semester_id, m.week_count;
update classschedule l set plan_id = p.id from timetableplan p where p.tenant_id = l.tenant_id and p.semester_id = l.semester_id;
do $$
declare
  lesson record;
begin
  for lesson in select tenant_id, school_id, semester_id, id from classschedule order by tenant_id, semester_id, id loop
    begin
      perform public.occupy_lessons(lesson.tenant_id, array[lesson.id]);
    exception when exclusion_violation then
      insert into timetableplan (tenant_id, id, school_id, semester_id, plan_name, status)
        values (lesson.tenant_id, lesson.id, lesson.school_id, lesson.semester_id, '冲突的课', 0)
        on conflict (tenant_id, semester_id, plan_name) do nothing;
      update classschedule set plan_id = (select id from timetableplan p where p.tenant_id = lesson.tenant_id
          and p.semester_id = lesson.semester_id and p.plan_name = '冲突的课')
        where tenant_id = lesson.tenant_id and id = lesson.id;
    end;
  end loop;
end $$;

-- From now on each way of writing keeps what is taken true. Of a tenant that is being taken away (status 9) nothing is.
create function public.occupy_changed_lessons() returns trigger
  language plpgsql set search_path = pg_catalog, public, pg_temp as $$
declare
  each record;
begin
  for each in
    select c.tenant_id, array_agg(c.id) as ids from changed c
    where exists (select from public.timetableplan p where p.tenant_id = c.tenant_id and p.id = c.plan_id and p.status = 2)
      or exists (select from public.scheduleoccupancy o where o.tenant_id = c.tenant_id and o.schedule_id = c.id)
    group by c.tenant_id
  loop
    perform public.occupy_lessons(each.tenant_id, each.ids);
  end loop;
  return null;
end $$;
create trigger classschedule_occupies_new after insert on classschedule
  referencing new table as changed for each statement execute function public.occupy_changed_lessons();
create trigger classschedule_occupies after update on classschedule
  referencing new table as changed for each statement execute function public.occupy_changed_lessons();

-- Lessons of published plans that one of these is about: of a plan, a semester, a class, a teaching class, a room.
create function public.occupy_of(tenant text, what text, of bigint) returns void
  language plpgsql set search_path = pg_catalog, public, pg_temp as $$
declare
  ids bigint[];
begin
  select array_agg(l.id) into ids from public.classschedule l
    left join public.schoolteachclass t on t.tenant_id = l.tenant_id and t.id = l.teach_class_id
    left join public.schoolclass c on c.tenant_id = l.tenant_id and c.id = l.class_id
    join public.timetableplan p on p.tenant_id = l.tenant_id and p.id = l.plan_id
  where l.tenant_id = tenant and case what
      when 'plan' then l.plan_id = of
      when 'semester' then l.semester_id = of
      when 'class' then l.class_id = of
      when 'teach_class' then l.teach_class_id = of
      else coalesce(l.classroom_id, t.classroom_id, c.classroom_id) = of end
    and (what = 'plan' or p.status = 2);
  if ids is not null then
    perform public.occupy_lessons(tenant, ids);
  end if;
end $$;

-- R8: whoever gives a published lesson is assigned to it on each of its days, or leads the teaching class.
create function public.unassigned_lesson(tenant text, lessons bigint[]) returns bigint
  language sql stable set search_path = pg_catalog, public, pg_temp as $$
  select l.id from public.lesson_days(tenant, lessons) d
    join public.classschedule l on l.tenant_id = tenant and l.id = d.lesson_id
  where not exists (select from public.schoolteachclass t where t.tenant_id = tenant and t.id = l.teach_class_id and t.teacher_id = l.teacher_id)
    and not coalesce((select range_agg(daterange(a.begin_date, a.end_date, '[]')) from public.teacherclass a
      where a.tenant_id = tenant and a.semester_id = l.semester_id and a.user_id = l.teacher_id and a.subject_id = l.subject_id
        and (a.class_id = l.class_id or a.teach_class_id = l.teach_class_id)), '{}') @> d.days
  order by l.id limit 1
$$;

create function public.occupy_plan() returns trigger
  language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  if new.status = 2 and old.status <> 2 then
    -- Whoever ends an assignment holds the semester too.
    perform from public.schoolsemester where tenant_id = new.tenant_id and id = new.semester_id for no key update;
  end if;
  perform public.occupy_of(new.tenant_id, 'plan', new.id);
  if new.status = 2 and old.status <> 2 and public.unassigned_lesson(new.tenant_id,
      array(select id from public.classschedule l where l.tenant_id = new.tenant_id and l.plan_id = new.id)) is not null then
    raise exception 'a lesson without an assignment' using errcode = 'check_violation',
      constraint = 'timetableplan_teachers_assigned', table = 'timetableplan';
  end if;
  return null;
end $$;
create trigger timetableplan_occupies after update of status, begin_week, end_week on timetableplan for each row
  when (old.status is distinct from new.status or old.begin_week is distinct from new.begin_week or old.end_week is distinct from new.end_week)
  execute function public.occupy_plan();

-- R8 from the other side, judged when all is done: a new teacher's assignment and plan come in the same step.
create function public.refuse_unassigned() returns trigger
  language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  if not exists (select from public.tenant t where t.tenant_id = old.tenant_id and t.status <> 9) then
    return null;
  end if;
  perform from public.schoolsemester where tenant_id = old.tenant_id and id = old.semester_id for share;
  if public.unassigned_lesson(old.tenant_id, array(select l.id from public.classschedule l
      join public.timetableplan p on p.tenant_id = l.tenant_id and p.id = l.plan_id and p.status = 2
      where l.tenant_id = old.tenant_id and l.semester_id = old.semester_id and l.teacher_id = old.user_id and l.subject_id = old.subject_id
        and (l.class_id = old.class_id or l.teach_class_id = old.teach_class_id))) is not null then
    raise exception 'published lessons rest on it' using errcode = 'check_violation',
      constraint = 'teacherclass_lessons_published', table = 'teacherclass';
  end if;
  return null;
end $$;
create constraint trigger teacherclass_lessons_published after update on teacherclass deferrable initially deferred for each row
  when ((old.semester_id, old.user_id, old.subject_id, old.class_id, old.teach_class_id, old.begin_date, old.end_date)
    is distinct from (new.semester_id, new.user_id, new.subject_id, new.class_id, new.teach_class_id, new.begin_date, new.end_date))
  execute function public.refuse_unassigned();
create constraint trigger teacherclass_lessons_published_gone after delete on teacherclass deferrable initially deferred
  for each row execute function public.refuse_unassigned();

-- What a lesson takes follows from these too. The argument says what of.
create function public.occupy_after() returns trigger
  language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  perform public.occupy_of(new.tenant_id, tg_argv[0], new.id);
  return null;
end $$;
create trigger schoolsemester_occupies after update of first_week_monday, week_count, begin_date, end_date on schoolsemester for each row
  when ((old.first_week_monday, old.week_count, old.begin_date, old.end_date)
    is distinct from (new.first_week_monday, new.week_count, new.begin_date, new.end_date))
  execute function public.occupy_after('semester');
create trigger schoolclass_occupies after update of classroom_id on schoolclass for each row
  when (old.classroom_id is distinct from new.classroom_id) execute function public.occupy_after('class');
create trigger schoolteachclass_occupies after update of kind, classroom_id on schoolteachclass for each row
  when ((old.kind, old.classroom_id) is distinct from (new.kind, new.classroom_id)) execute function public.occupy_after('teach_class');
create trigger schoolclassroom_occupies after update of concurrency on schoolclassroom for each row
  when (old.concurrency is distinct from new.concurrency) execute function public.occupy_after('room');

create function public.occupy_after_roster() returns trigger
  language plpgsql set search_path = pg_catalog, public, pg_temp as $$
declare
  each record;
begin
  for each in select distinct c.tenant_id, c.owner_id from changed c join public.tenant t on t.tenant_id = c.tenant_id and t.status <> 9 loop
    perform public.occupy_of(each.tenant_id, 'teach_class', each.owner_id);
  end loop;
  return null;
end $$;
create trigger schoolteachclass_student_occupies_new after insert on schoolteachclass_student
  referencing new table as changed for each statement execute function public.occupy_after_roster();
create trigger schoolteachclass_student_occupies after delete on schoolteachclass_student
  referencing old table as changed for each statement execute function public.occupy_after_roster();
create trigger schoolteachclass_class_occupies_new after insert on schoolteachclass_class
  referencing new table as changed for each statement execute function public.occupy_after_roster();
create trigger schoolteachclass_class_occupies after delete on schoolteachclass_class
  referencing old table as changed for each statement execute function public.occupy_after_roster();

create function public.occupy_after_move() returns trigger
  language plpgsql set search_path = pg_catalog, public, pg_temp as $$
declare
  each record;
begin
  for each in select owner_id from public.schoolteachclass_student k where k.tenant_id = new.tenant_id and k.target_id = new.id loop
    perform public.occupy_of(new.tenant_id, 'teach_class', each.owner_id);
  end loop;
  return null;
end $$;
create trigger student_occupies after update of class_id on student for each row
  when (old.class_id is distinct from new.class_id) execute function public.occupy_after_move();

-- A make-up day takes the lessons of another weekday, and gives its own back.
create function public.occupy_after_day() returns trigger
  language plpgsql set search_path = pg_catalog, public, pg_temp as $$
declare
  tenant text := case when tg_op = 'DELETE' then old.tenant_id else new.tenant_id end;
  ids bigint[];
begin
  if not exists (select from public.tenant t where t.tenant_id = tenant and t.status <> 9) then
    return null;
  end if;
  select array_agg(l.id) into ids
  from (select old.school_id, old.day, old.use_weekday where tg_op <> 'INSERT' and old.day_type = '3'
      union select new.school_id, new.day, new.use_weekday where tg_op <> 'DELETE' and new.day_type = '3') c
    join public.schoolsemester m on m.tenant_id = tenant and m.school_id = c.school_id and c.day between m.begin_date and m.end_date
    join public.timetableplan p on p.tenant_id = tenant and p.semester_id = m.id and p.status = 2
    join public.classschedule l on l.tenant_id = tenant and l.plan_id = p.id
      and l.weekday in (c.use_weekday, extract(isodow from c.day)::int::text);
  if ids is not null then
    perform public.occupy_lessons(tenant, ids);
  end if;
  return null;
end $$;
create trigger schoolcalendarday_occupies after insert or update or delete on schoolcalendarday
  for each row execute function public.occupy_after_day();

-- R1: the current semester lies in the current year; the year is held while that is judged.
create function public.refuse_stale_semester() returns trigger
  language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  if tg_table_name = 'schoolsemester' then
    perform from public.schoolyear y where y.tenant_id = new.tenant_id and y.id = new.year_id for share;
  end if;
  if exists (select from public.schoolsemester m join public.schoolyear y on y.tenant_id = m.tenant_id and y.id = m.year_id
      where m.tenant_id = new.tenant_id and m.school_id = new.school_id and m.is_current = 1 and y.is_current = 0) then
    raise exception 'the year is not current' using errcode = 'check_violation',
      constraint = 'schoolsemester_in_current_year', table = 'schoolsemester';
  end if;
  return null;
end $$;
create constraint trigger schoolsemester_in_current_year_new after insert on schoolsemester deferrable initially deferred for each row
  when (new.is_current = 1) execute function public.refuse_stale_semester();
create constraint trigger schoolsemester_in_current_year after update of is_current, year_id on schoolsemester
  deferrable initially deferred for each row when (new.is_current = 1) execute function public.refuse_stale_semester();
create constraint trigger schoolyear_keeps_semester after update of is_current on schoolyear
  deferrable initially deferred for each row when (new.is_current = 0 and old.is_current = 1) execute function public.refuse_stale_semester();

-- Last, so that an owner who is no superuser could fill them above.
alter table schoolgrade force row level security;
alter table schoolperiod_grade force row level security;
alter table schoolperiod force row level security;
alter table schoolcalendarday force row level security;
alter table timetableplan force row level security;
alter table scheduleoccupancy force row level security;

-- Substitution: what a published lesson is on one day in place of what its timetable says, and the absences that make it
-- necessary. It is laid over the timetable, which stays as it is; what is taken follows from both
-- (docs/decisions/0020-substitution.md).
create table teacherabsence (
  tenant_id text not null check (tenant_id ~ '^[0-9]{6}$'),
  id bigint not null,
  school_id bigint not null,
  teacher_id bigint not null,
  leave_type text not null check (char_length(leave_type) <= 32),
  begin_date date not null,
  begin_period_no integer check (begin_period_no between 1 and 14),
  end_date date not null,
  end_period_no integer check (end_period_no between 1 and 14),
  reason text check (char_length(reason) <= 200),
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
  constraint teacherabsence_begin_date_order check (begin_date <= end_date)
);
create index teacherabsence_begin_date_sort on teacherabsence (tenant_id, begin_date, id);
create index teacherabsence_create_time_sort on teacherabsence (tenant_id, create_time, id);
create index teacherabsence_teacher_id_ref on teacherabsence (tenant_id, teacher_id);
alter table teacherabsence enable row level security;
create policy tenant on teacherabsence using (tenant_id = current_setting('app.tenant_id', true)) with check (tenant_id = current_setting('app.tenant_id', true));

create table substitution (
  tenant_id text not null check (tenant_id ~ '^[0-9]{6}$'),
  id bigint not null,
  school_id bigint not null,
  schedule_id bigint not null,
  day date not null,
  kind text not null check (char_length(kind) <= 32),
  teacher_id bigint,
  new_teacher_id bigint,
  new_day date,
  new_period_no integer check (new_period_no between 1 and 14),
  new_classroom_id bigint,
  reason text check (char_length(reason) <= 200),
  counts_as_extra smallint check (counts_as_extra in (0, 1)),
  pair_id bigint,
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
  unique (tenant_id, ext_id)
);
create index substitution_day_sort on substitution (tenant_id, day, id);
create index substitution_create_time_sort on substitution (tenant_id, create_time, id);
create index substitution_schedule_id_ref on substitution (tenant_id, schedule_id);
create index substitution_teacher_id_ref on substitution (tenant_id, teacher_id);
create index substitution_new_teacher_id_ref on substitution (tenant_id, new_teacher_id);
create index substitution_new_classroom_id_ref on substitution (tenant_id, new_classroom_id);
create index substitution_pair_id_ref on substitution (tenant_id, pair_id);
alter table substitution enable row level security;
create policy tenant on substitution using (tenant_id = current_setting('app.tenant_id', true)) with check (tenant_id = current_setting('app.tenant_id', true));

alter table teacherabsence add constraint teacherabsence_school_id_fkey foreign key (tenant_id, school_id) references school (tenant_id, id);
alter table teacherabsence add constraint teacherabsence_teacher_id_fkey foreign key (tenant_id, teacher_id) references app_user (tenant_id, id);

alter table substitution add constraint substitution_school_id_fkey foreign key (tenant_id, school_id) references school (tenant_id, id);
alter table substitution add constraint substitution_schedule_id_fkey foreign key (tenant_id, school_id, schedule_id) references classschedule (tenant_id, school_id, id);
alter table substitution add constraint substitution_teacher_id_fkey foreign key (tenant_id, teacher_id) references app_user (tenant_id, id);
alter table substitution add constraint substitution_new_teacher_id_fkey foreign key (tenant_id, new_teacher_id) references app_user (tenant_id, id);
alter table substitution add constraint substitution_new_classroom_id_fkey foreign key (tenant_id, school_id, new_classroom_id) references schoolclassroom (tenant_id, school_id, id);
alter table substitution add constraint substitution_pair_id_fkey foreign key (tenant_id, school_id, pair_id) references substitution (tenant_id, school_id, id);

-- What a kind is made of. Kinds: 1 another teacher, 2 another time, 3 not at all, 4 another room.
alter table substitution add constraint substitution_kind_parts check (case kind
  when '1' then new_teacher_id is not null and new_day is null and new_period_no is null
  when '2' then new_day is not null and new_period_no is not null
  when '3' then new_teacher_id is null and new_day is null and new_period_no is null and new_classroom_id is null
  else new_teacher_id is null and new_day is null and new_period_no is null and new_classroom_id is not null end);
alter table substitution add constraint substitution_other_teacher check (kind <> '1' or new_teacher_id <> teacher_id);

-- A lesson has one of these on a day, and over it one that takes the lesson out, such as an examination: when that is
-- cancelled, the cover below it is there again.
alter table substitution add constraint substitution_once exclude using gist
  (tenant_id with =, schedule_id with =, day with =, (case when kind = '3' then 1 else 0 end) with =) where (status in (0, 1, 2));

alter table teacherabsence add constraint teacherabsence_periods_order
  check (begin_date < end_date or begin_period_no <= end_period_no);

-- What is taken by a substitution is told from what its lesson takes otherwise, so that a lesson cannot be moved onto
-- itself. Two lessons that change places meet half-way: the constraint may be judged when both have moved.
alter table scheduleoccupancy add column substitution_id bigint not null default 0;
alter table scheduleoccupancy drop constraint scheduleoccupancy_pkey;
alter table scheduleoccupancy add primary key (tenant_id, schedule_id, substitution_id, resource_type, resource_id, period_no, seat);
alter table scheduleoccupancy drop constraint scheduleoccupancy_free;
alter table scheduleoccupancy add constraint scheduleoccupancy_free exclude using gist
  (tenant_id with =, resource_type with =, resource_id with =, period_no with =, seat with &&, days with &&)
  deferrable initially immediate;

-- Who gives lessons of published plans, where, in which period and on which days: as the timetable says (substitution 0), and
-- as each substitution that holds says (waiting, confirmed, done) for its one day. A lesson that is taken out is nowhere.
create function public.lesson_stints(tenant text, lessons bigint[])
  returns table (lesson_id bigint, substitution_id bigint, teacher_id bigint, classroom_id bigint, period_no integer, days datemultirange)
  language sql stable set search_path = pg_catalog, public, pg_temp as $$
  with taught as materialized (
    select d.lesson_id, d.days from public.lesson_days(tenant, lessons) d
  ), over as materialized (
    select s.id, s.schedule_id, s.day, s.kind, s.new_teacher_id, s.new_classroom_id, s.new_day, s.new_period_no
    from public.substitution s join taught d on d.lesson_id = s.schedule_id and d.days @> s.day
    where s.tenant_id = tenant and s.schedule_id = any(lessons) and s.status in (0, 1, 2)
  ), freed as materialized (
    select o.schedule_id, range_agg(daterange(o.day, o.day + 1)) as days from over o group by o.schedule_id
  )
  select l.id, 0::bigint, l.teacher_id, l.classroom_id, l.period_no, d.days - coalesce(f.days, '{}')
  from taught d join public.classschedule l on l.tenant_id = tenant and l.id = d.lesson_id
    left join freed f on f.schedule_id = d.lesson_id
  where not isempty(d.days - coalesce(f.days, '{}'))
  union all
  select l.id, o.id, coalesce(o.new_teacher_id, l.teacher_id), coalesce(o.new_classroom_id, l.classroom_id),
    coalesce(o.new_period_no, l.period_no), datemultirange(daterange(coalesce(o.new_day, o.day), coalesce(o.new_day, o.day) + 1))
  from over o join public.classschedule l on l.tenant_id = tenant and l.id = o.schedule_id
  where o.kind <> '3' and not exists (select from over x where x.schedule_id = o.schedule_id and x.day = o.day and x.kind = '3')
$$;

-- Takes for these lessons what they need now, in place of what they took; nothing where their plan is not published. Of a
-- room for several lessons at once, each day the lowest place that is free: the room is held while that is decided. The
-- lessons are held first: of two who write about one lesson the second sees what the first has taken.
create or replace function public.occupy_lessons(tenant text, lessons bigint[]) returns void
  language plpgsql set search_path = pg_catalog, public, pg_temp as $$
declare
  crowded record;
begin
  perform from public.classschedule l where l.tenant_id = tenant and l.id = any(lessons) order by l.id for no key update;
  delete from public.scheduleoccupancy where tenant_id = tenant and schedule_id = any(lessons);
  insert into public.scheduleoccupancy (tenant_id, schedule_id, substitution_id, resource_type, resource_id, period_no, days, seat)
  with lesson as materialized (
    select l.id, d.substitution_id as over, l.class_id, l.teach_class_id, d.teacher_id, d.period_no, l.span, d.days, t.kind,
      coalesce(d.classroom_id, t.classroom_id, c.classroom_id) as room_id
    from public.lesson_stints(tenant, lessons) d
      join public.classschedule l on l.tenant_id = tenant and l.id = d.lesson_id
      left join public.schoolclass c on c.tenant_id = tenant and c.id = l.class_id
      left join public.schoolteachclass t on t.tenant_id = tenant and t.id = l.teach_class_id
  ), claim as (
    select id, over, 'C' as type, class_id as resource, int8range(null, null) as seat from lesson where class_id is not null
    union all
    select e.id, e.over, 'C', k.target_id, int8range(null, null) from lesson e
      join public.schoolteachclass_class k on k.tenant_id = tenant and k.owner_id = e.teach_class_id
      where e.kind in ('1', '3')
    union
    select e.id, e.over, 'C', s.class_id, int8range(e.teach_class_id, e.teach_class_id, '[]') from lesson e
      join public.schoolteachclass_student k on k.tenant_id = tenant and k.owner_id = e.teach_class_id
      join public.student s on s.tenant_id = tenant and s.id = k.target_id
      where e.kind in ('2', '4') and s.class_id is not null
    union all
    select e.id, e.over, 'S', k.target_id, int8range(null, null) from lesson e
      join public.schoolteachclass_student k on k.tenant_id = tenant and k.owner_id = e.teach_class_id
      where e.kind in ('2', '4')
    union all
    select id, over, 'T', teacher_id, int8range(null, null) from lesson
    union all
    select e.id, e.over, 'R', r.id, int8range(null, null) from lesson e
      join public.schoolclassroom r on r.tenant_id = tenant and r.id = e.room_id and r.concurrency = 1
  )
  select tenant, c.id, c.over, c.type, c.resource, n, e.days, c.seat
  from claim c join lesson e on e.id = c.id and e.over = c.over cross join lateral generate_series(e.period_no, e.period_no + e.span - 1) n
  order by c.type, c.resource, n;

  if not exists (select from public.schoolclassroom where tenant_id = tenant and concurrency > 1) then
    return;
  end if;
  perform from public.schoolclassroom r where r.tenant_id = tenant and r.concurrency > 1 and r.id in (
      select coalesce(d.classroom_id, t.classroom_id, c.classroom_id) from public.lesson_stints(tenant, lessons) d
        join public.classschedule l on l.tenant_id = tenant and l.id = d.lesson_id
        left join public.schoolclass c on c.tenant_id = tenant and c.id = l.class_id
        left join public.schoolteachclass t on t.tenant_id = tenant and t.id = l.teach_class_id)
    order by r.id for no key update;
  for crowded in
    select l.id, d.substitution_id as over, r.id as room_id, r.concurrency, n as period_no, d.days
    from public.lesson_stints(tenant, lessons) d
      join public.classschedule l on l.tenant_id = tenant and l.id = d.lesson_id
      left join public.schoolclass c on c.tenant_id = tenant and c.id = l.class_id
      left join public.schoolteachclass t on t.tenant_id = tenant and t.id = l.teach_class_id
      join public.schoolclassroom r on r.tenant_id = tenant and r.id = coalesce(d.classroom_id, t.classroom_id, c.classroom_id)
        and r.concurrency > 1
      cross join lateral generate_series(d.period_no, d.period_no + l.span - 1) n
    order by r.id, n, l.id, d.substitution_id
  loop
    insert into public.scheduleoccupancy (tenant_id, schedule_id, substitution_id, resource_type, resource_id, period_no, days, seat)
    select tenant, crowded.id, crowded.over, 'R', crowded.room_id, crowded.period_no, range_agg(daterange(x.day, x.day + 1)),
      int8range(x.place, x.place, '[]')
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

-- Of a tenant that is being taken away (status 9) nothing is kept true.
create function public.occupy_substituted() returns trigger
  language plpgsql set search_path = pg_catalog, public, pg_temp as $$
declare
  each record;
begin
  for each in
    select c.tenant_id, array_agg(distinct c.schedule_id) as ids from changed c
      join public.tenant t on t.tenant_id = c.tenant_id and t.status <> 9
    group by c.tenant_id
  loop
    perform public.occupy_lessons(each.tenant_id, each.ids);
  end loop;
  return null;
end $$;
create trigger substitution_occupies_new after insert on substitution
  referencing new table as changed for each statement execute function public.occupy_substituted();
create trigger substitution_occupies_gone after delete on substitution
  referencing old table as changed for each statement execute function public.occupy_substituted();

-- A substitution that goes over to another lesson, as when its timetable is published anew, frees the one it had.
create function public.occupy_resubstituted() returns trigger
  language plpgsql set search_path = pg_catalog, public, pg_temp as $$
declare
  each record;
begin
  for each in
    select c.tenant_id, array_agg(distinct c.schedule_id) as ids
    from (select tenant_id, schedule_id from before union select tenant_id, schedule_id from changed) c
      join public.tenant t on t.tenant_id = c.tenant_id and t.status <> 9
    group by c.tenant_id
  loop
    perform public.occupy_lessons(each.tenant_id, each.ids);
  end loop;
  return null;
end $$;
create trigger substitution_occupies after update on substitution
  referencing old table as before new table as changed for each statement execute function public.occupy_resubstituted();

-- Last, so that an owner who is no superuser could fill them above.
alter table teacherabsence force row level security;
alter table substitution force row level security;

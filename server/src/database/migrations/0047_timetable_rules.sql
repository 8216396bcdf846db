-- Rules of the generator of timetables, by semester: what must hold and what is wished, as a clerk sets it
-- (docs/decisions/0022-timetable-rules.md).
create table timetablerule (
  tenant_id text not null check (tenant_id ~ '^[0-9]{6}$'),
  id bigint not null,
  school_id bigint not null,
  semester_id bigint not null,
  kind text not null check (char_length(kind) <= 32),
  whose text check (char_length(whose) <= 32),
  slots jsonb,
  half text check (char_length(half) <= 32),
  max integer check (max between 0 and 40),
  gap integer check (gap between 1 and 6),
  strength text not null check (char_length(strength) <= 32),
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
create index timetablerule_kind_sort on timetablerule (tenant_id, kind, id);
create index timetablerule_create_time_sort on timetablerule (tenant_id, create_time, id);
create index timetablerule_semester_id_ref on timetablerule (tenant_id, semester_id);
create table timetablerule_teacher (
  tenant_id text not null check (tenant_id ~ '^[0-9]{6}$'),
  owner_id bigint not null,
  target_id bigint not null,
  ord smallint not null,
  primary key (tenant_id, owner_id, target_id)
);
create index timetablerule_teacher_target on timetablerule_teacher (tenant_id, target_id);
alter table timetablerule_teacher enable row level security;
create policy tenant on timetablerule_teacher using (tenant_id = current_setting('app.tenant_id', true)) with check (tenant_id = current_setting('app.tenant_id', true));
create table timetablerule_grade (
  tenant_id text not null check (tenant_id ~ '^[0-9]{6}$'),
  owner_id bigint not null,
  target_id bigint not null,
  ord smallint not null,
  primary key (tenant_id, owner_id, target_id)
);
create index timetablerule_grade_target on timetablerule_grade (tenant_id, target_id);
alter table timetablerule_grade enable row level security;
create policy tenant on timetablerule_grade using (tenant_id = current_setting('app.tenant_id', true)) with check (tenant_id = current_setting('app.tenant_id', true));
create table timetablerule_class (
  tenant_id text not null check (tenant_id ~ '^[0-9]{6}$'),
  owner_id bigint not null,
  target_id bigint not null,
  ord smallint not null,
  primary key (tenant_id, owner_id, target_id)
);
create index timetablerule_class_target on timetablerule_class (tenant_id, target_id);
alter table timetablerule_class enable row level security;
create policy tenant on timetablerule_class using (tenant_id = current_setting('app.tenant_id', true)) with check (tenant_id = current_setting('app.tenant_id', true));
create table timetablerule_teach_class (
  tenant_id text not null check (tenant_id ~ '^[0-9]{6}$'),
  owner_id bigint not null,
  target_id bigint not null,
  ord smallint not null,
  primary key (tenant_id, owner_id, target_id)
);
create index timetablerule_teach_class_target on timetablerule_teach_class (tenant_id, target_id);
alter table timetablerule_teach_class enable row level security;
create policy tenant on timetablerule_teach_class using (tenant_id = current_setting('app.tenant_id', true)) with check (tenant_id = current_setting('app.tenant_id', true));
create table timetablerule_subject (
  tenant_id text not null check (tenant_id ~ '^[0-9]{6}$'),
  owner_id bigint not null,
  target_id bigint not null,
  ord smallint not null,
  primary key (tenant_id, owner_id, target_id)
);
create index timetablerule_subject_target on timetablerule_subject (tenant_id, target_id);
alter table timetablerule_subject enable row level security;
create policy tenant on timetablerule_subject using (tenant_id = current_setting('app.tenant_id', true)) with check (tenant_id = current_setting('app.tenant_id', true));
alter table timetablerule enable row level security;
create policy tenant on timetablerule using (tenant_id = current_setting('app.tenant_id', true)) with check (tenant_id = current_setting('app.tenant_id', true));

alter table timetablerule add constraint timetablerule_school_id_fkey foreign key (tenant_id, school_id) references school (tenant_id, id);
alter table timetablerule add constraint timetablerule_semester_id_fkey foreign key (tenant_id, school_id, semester_id) references schoolsemester (tenant_id, school_id, id);
alter table timetablerule_teacher add constraint timetablerule_teacher_owner foreign key (tenant_id, owner_id) references timetablerule (tenant_id, id) on delete cascade;
alter table timetablerule_teacher add constraint timetablerule_teacher_ids_fkey foreign key (tenant_id, target_id) references app_user (tenant_id, id);
alter table timetablerule_grade add constraint timetablerule_grade_owner foreign key (tenant_id, owner_id) references timetablerule (tenant_id, id) on delete cascade;
alter table timetablerule_grade add constraint timetablerule_grade_ids_fkey foreign key (tenant_id, target_id) references sysgrade (tenant_id, id);
alter table timetablerule_class add constraint timetablerule_class_owner foreign key (tenant_id, owner_id) references timetablerule (tenant_id, id) on delete cascade;
alter table timetablerule_class add constraint timetablerule_class_ids_fkey foreign key (tenant_id, target_id) references schoolclass (tenant_id, id);
alter table timetablerule_teach_class add constraint timetablerule_teach_class_owner foreign key (tenant_id, owner_id) references timetablerule (tenant_id, id) on delete cascade;
alter table timetablerule_teach_class add constraint timetablerule_teach_class_ids_fkey foreign key (tenant_id, target_id) references schoolteachclass (tenant_id, id);
alter table timetablerule_subject add constraint timetablerule_subject_owner foreign key (tenant_id, owner_id) references timetablerule (tenant_id, id) on delete cascade;
alter table timetablerule_subject add constraint timetablerule_subject_ids_fkey foreign key (tenant_id, target_id) references schoolsubject (tenant_id, id);

-- What a kind is made of (contract/src/rules/timetable-rule.ts): the rest is judged in words before it comes here.
alter table timetablerule add constraint timetablerule_kind_parts check (
  (whose is not null) = (kind in ('4', '5', '6', '7'))
  and (slots is not null) = (kind in ('1', '3'))
  and (half is not null) = (kind = '2')
  and (max is not null) = (kind in ('4', '5', '6', '7', '8'))
  and (gap is not null) = (kind in ('10', '13')));
alter table timetablerule add constraint timetablerule_max_some check (max > 0 or kind = '6');
alter table timetablerule add constraint timetablerule_apart_must check (kind <> '12' or strength = '1');

-- Semesters that have a plan get the rules that the generator kept so far without saying so. Ids are unique among the rows
-- of one table: these count from 1 in each tenant.
insert into timetablerule (tenant_id, id, school_id, semester_id, kind, max, half, slots, strength)
  select m.tenant_id, row_number() over (partition by m.tenant_id order by m.id, r.nth), m.school_id, m.id, r.kind, r.max, r.half,
    case when r.kind = '1' then (select jsonb_agg(jsonb_build_object('weekday', d::int, 'periodNo', 1) order by d::int) from unnest(s.teach_days) d) end,
    r.strength
  from schoolsemester m join school s on s.tenant_id = m.tenant_id and s.id = m.school_id
    cross join (values (1, '8', 2, null, '1'), (2, '9', null, null, '2'), (3, '2', null, '1', '4'), (4, '1', null, null, '3')) r (nth, kind, max, half, strength)
  where exists (select from timetableplan p where p.tenant_id = m.tenant_id and p.semester_id = m.id)
    and (r.kind in ('8', '9') or exists (
      select from schoolsubject b join syssubject_seen y on y.tenant_id = b.tenant_id and y.id = b.sys_subject_id
      where b.tenant_id = m.tenant_id and b.school_id = m.school_id and case r.kind when '2' then y.is_main = 1 else y.room_type = '9' or y.subject_code = 'TY' end));
insert into timetablerule_subject (tenant_id, owner_id, target_id, ord)
  select r.tenant_id, r.id, b.id, row_number() over (partition by r.tenant_id, r.id order by b.sort, b.id)
  from timetablerule r join schoolsubject b on b.tenant_id = r.tenant_id and b.school_id = r.school_id
    join syssubject_seen y on y.tenant_id = b.tenant_id and y.id = b.sys_subject_id
  where case r.kind when '2' then y.is_main = 1 when '1' then y.room_type = '9' or y.subject_code = 'TY' else false end;

-- Last, so that an owner who is no superuser could fill them above.
alter table timetablerule_teacher force row level security;
alter table timetablerule_grade force row level security;
alter table timetablerule_class force row level security;
alter table timetablerule_teach_class force row level security;
alter table timetablerule_subject force row level security;
alter table timetablerule force row level security;

-- Leave: who is away for which half-days, and by which routes that is approved in a school.
create table leave (
  tenant_id text not null check (tenant_id ~ '^[0-9]{6}$'),
  id bigint not null,
  school_id bigint not null,
  applicant_type text not null check (char_length(applicant_type) <= 32),
  student_id bigint,
  user_id bigint,
  class_id bigint,
  leave_type text not null check (char_length(leave_type) <= 32),
  start_time timestamptz not null,
  end_time timestamptz not null,
  days numeric(15, 1) check (days between 0 and 400),
  lessons integer check (lessons between 0 and 10000),
  reason text not null check (char_length(reason) <= 200),
  leaves_campus smallint check (leaves_campus in (0, 1)),
  pickup_parent_id bigint,
  guard_pass_no text check (char_length(guard_pass_no) <= 16),
  need_substitute smallint check (need_substitute in (0, 1)),
  substitute_plan text check (char_length(substitute_plan) <= 200),
  apply_user bigint,
  apply_time timestamptz,
  back_time timestamptz,
  back_confirm_user bigint,
  process_definition_id text check (char_length(process_definition_id) <= 20),
  process_instance_id text check (char_length(process_instance_id) <= 20),
  absence_id bigint,
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
  constraint leave_guard_pass_no_key unique (tenant_id, guard_pass_no),
  constraint leave_start_time_order check (start_time <= end_time),
  constraint leave_one_of check (num_nonnulls(student_id, user_id) = 1)
);
create index leave_start_time_sort on leave (tenant_id, start_time, id);
create index leave_create_time_sort on leave (tenant_id, create_time, id);
create index leave_student_id_ref on leave (tenant_id, student_id);
create index leave_user_id_ref on leave (tenant_id, user_id);
create index leave_class_id_ref on leave (tenant_id, class_id);
create table leave_attach (
  tenant_id text not null check (tenant_id ~ '^[0-9]{6}$'),
  owner_id bigint not null,
  target_id bigint not null,
  ord smallint not null,
  primary key (tenant_id, owner_id, target_id)
);
create index leave_attach_target on leave_attach (tenant_id, target_id);
alter table leave_attach enable row level security;
alter table leave_attach force row level security;
create policy tenant on leave_attach using (tenant_id = current_setting('app.tenant_id', true)) with check (tenant_id = current_setting('app.tenant_id', true));
create index leave_pickup_parent_id_ref on leave (tenant_id, pickup_parent_id);
create index leave_apply_user_ref on leave (tenant_id, apply_user);
create index leave_back_confirm_user_ref on leave (tenant_id, back_confirm_user);
create index leave_absence_id_ref on leave (tenant_id, absence_id);
alter table leave enable row level security;
alter table leave force row level security;
create policy tenant on leave using (tenant_id = current_setting('app.tenant_id', true)) with check (tenant_id = current_setting('app.tenant_id', true));
create table leaveapprovalrule (
  tenant_id text not null check (tenant_id ~ '^[0-9]{6}$'),
  id bigint not null,
  school_id bigint not null,
  applicant_type text not null check (char_length(applicant_type) <= 32),
  leave_type text check (char_length(leave_type) <= 32),
  min_days numeric(15, 1) not null check (min_days between 0 and 366),
  max_days numeric(15, 1) check (max_days between 0.5 and 366),
  step1 text not null check (char_length(step1) <= 32),
  step1_user bigint,
  step2 text check (char_length(step2) <= 32),
  step2_user bigint,
  step3 text check (char_length(step3) <= 32),
  step3_user bigint,
  step4 text check (char_length(step4) <= 32),
  step4_user bigint,
  timeout_hours integer check (timeout_hours between 1 and 720),
  on_timeout text check (char_length(on_timeout) <= 32),
  allow_delegate smallint check (allow_delegate in (0, 1)),
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
create index leaveapprovalrule_min_days_sort on leaveapprovalrule (tenant_id, min_days, id);
create index leaveapprovalrule_create_time_sort on leaveapprovalrule (tenant_id, create_time, id);
create index leaveapprovalrule_step1_user_ref on leaveapprovalrule (tenant_id, step1_user);
create index leaveapprovalrule_step2_user_ref on leaveapprovalrule (tenant_id, step2_user);
create index leaveapprovalrule_step3_user_ref on leaveapprovalrule (tenant_id, step3_user);
create index leaveapprovalrule_step4_user_ref on leaveapprovalrule (tenant_id, step4_user);
alter table leaveapprovalrule enable row level security;
alter table leaveapprovalrule force row level security;
create policy tenant on leaveapprovalrule using (tenant_id = current_setting('app.tenant_id', true)) with check (tenant_id = current_setting('app.tenant_id', true));
alter table leave add constraint leave_school_id_fkey foreign key (tenant_id, school_id) references school (tenant_id, id);
alter table leave add constraint leave_student_id_fkey foreign key (tenant_id, school_id, student_id) references student (tenant_id, school_id, id);
alter table leave add constraint leave_user_id_fkey foreign key (tenant_id, user_id) references app_user (tenant_id, id);
alter table leave_attach add constraint leave_attach_owner foreign key (tenant_id, owner_id) references leave (tenant_id, id) on delete cascade;
alter table leave_attach add constraint leave_attach_ids_fkey foreign key (tenant_id, target_id) references attach (tenant_id, id);
alter table leave add constraint leave_class_id_fkey foreign key (tenant_id, school_id, class_id) references schoolclass (tenant_id, school_id, id);
alter table leave add constraint leave_pickup_parent_id_fkey foreign key (tenant_id, school_id, pickup_parent_id) references studentparents (tenant_id, school_id, id);
alter table leave add constraint leave_apply_user_fkey foreign key (tenant_id, apply_user) references app_user (tenant_id, id);
alter table leave add constraint leave_back_confirm_user_fkey foreign key (tenant_id, back_confirm_user) references app_user (tenant_id, id);
alter table leave add constraint leave_absence_id_fkey foreign key (tenant_id, school_id, absence_id) references teacherabsence (tenant_id, school_id, id);
alter table leaveapprovalrule add constraint leaveapprovalrule_school_id_fkey foreign key (tenant_id, school_id) references school (tenant_id, id);
alter table leaveapprovalrule add constraint leaveapprovalrule_step1_user_fkey foreign key (tenant_id, step1_user) references app_user (tenant_id, id);
alter table leaveapprovalrule add constraint leaveapprovalrule_step2_user_fkey foreign key (tenant_id, step2_user) references app_user (tenant_id, id);
alter table leaveapprovalrule add constraint leaveapprovalrule_step3_user_fkey foreign key (tenant_id, step3_user) references app_user (tenant_id, id);
alter table leaveapprovalrule add constraint leaveapprovalrule_step4_user_fkey foreign key (tenant_id, step4_user) references app_user (tenant_id, id);

-- Nobody is away twice at once: what is in approval, approved or over with a return is compared by instants, so that an
-- afternoon never meets a morning. Whoever came back early is free again from then on.
alter table leave add constraint leave_once_student exclude using gist (tenant_id with =, student_id with =,
  (tstzrange(start_time, greatest(start_time, least(end_time, coalesce(back_time, end_time))))) with &&) where (status in (1, 2, 6) and student_id is not null);
alter table leave add constraint leave_once_user exclude using gist (tenant_id with =, user_id with =,
  (tstzrange(start_time, greatest(start_time, least(end_time, coalesce(back_time, end_time))))) with &&) where (status in (1, 2, 6) and user_id is not null);
alter table leave add constraint leave_span_order check (start_time < end_time);
alter table leave add constraint leave_reason_length check (char_length(btrim(reason)) >= 5);
alter table leave add constraint leave_person_fits check ((applicant_type = '1') = (student_id is not null));
alter table leave add constraint leave_pupil_leaves check (student_id is not null or (coalesce(leaves_campus, 0) = 0 and pickup_parent_id is null));
create index leave_instance_ref on leave (tenant_id, process_instance_id);

-- One rule says who approves: rules for the same people and kind of leave speak of different numbers of days.
alter table leaveapprovalrule add constraint leaveapprovalrule_once exclude using gist
  (tenant_id with =, school_id with =, applicant_type with =, coalesce(leave_type, '') with =, numrange(min_days, max_days, '(]') with &&);
alter table leaveapprovalrule add constraint leaveapprovalrule_days_order check (min_days < max_days);
alter table leaveapprovalrule add constraint leaveapprovalrule_steps_follow check (
  (step3 is null or step2 is not null) and (step4 is null or step3 is not null));

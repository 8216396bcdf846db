-- Workflow: models, the versions that were deployed, what runs of them, and what each step has left behind. Tokens, tasks and
-- timers are rows, so that lists are plain indexed queries and a step commits with what it decides
-- (docs/decisions/0022-workflow-engine.md).
create table flowmodel (
  tenant_id text not null check (tenant_id ~ '^[0-9]{6}$'),
  id bigint not null,
  name text not null check (char_length(name) <= 100),
  model_key text not null check (char_length(model_key) <= 64),
  category text not null check (char_length(category) <= 32),
  description text check (char_length(description) <= 500),
  xml text check (char_length(xml) <= 2000000),
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
  constraint flowmodel_model_key_key unique (tenant_id, model_key)
);
create index flowmodel_name_sort on flowmodel (tenant_id, name, id);
create index flowmodel_create_time_sort on flowmodel (tenant_id, create_time, id);
alter table flowmodel enable row level security;
alter table flowmodel force row level security;
create policy tenant on flowmodel using (tenant_id = current_setting('app.tenant_id', true)) with check (tenant_id = current_setting('app.tenant_id', true));

create table flowprocess (
  tenant_id text not null check (tenant_id ~ '^[0-9]{6}$'),
  id bigint not null,
  name text not null check (char_length(name) <= 100),
  key text not null check (char_length(key) <= 64),
  version_no integer not null check (version_no between 1 and 1000000),
  category text not null check (char_length(category) <= 32),
  suspension_state text not null check (char_length(suspension_state) <= 32),
  form_key text check (char_length(form_key) <= 64),
  resource_name text check (char_length(resource_name) <= 255),
  deployment_id text check (char_length(deployment_id) <= 20),
  deployment_time timestamptz not null,
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
  constraint flowprocess_key_version_no_key unique (tenant_id, key, version_no)
);
create index flowprocess_deployment_time_sort on flowprocess (tenant_id, deployment_time, id);
create index flowprocess_create_time_sort on flowprocess (tenant_id, create_time, id);
alter table flowprocess enable row level security;
alter table flowprocess force row level security;
create policy tenant on flowprocess using (tenant_id = current_setting('app.tenant_id', true)) with check (tenant_id = current_setting('app.tenant_id', true));

create table flowinstance (
  tenant_id text not null check (tenant_id ~ '^[0-9]{6}$'),
  id bigint not null,
  title text not null check (char_length(title) <= 200),
  serial_no text check (char_length(serial_no) <= 32),
  process_definition_id bigint not null,
  category text not null check (char_length(category) <= 32),
  start_user bigint,
  start_time timestamptz not null,
  end_time timestamptz,
  state text not null check (char_length(state) <= 32),
  activity text check (char_length(activity) <= 500),
  business_table text check (char_length(business_table) <= 64),
  business_id text check (char_length(business_id) <= 20),
  reason text check (char_length(reason) <= 500),
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
create index flowinstance_start_time_sort on flowinstance (tenant_id, start_time, id);
create index flowinstance_create_time_sort on flowinstance (tenant_id, create_time, id);
create index flowinstance_process_definition_id_ref on flowinstance (tenant_id, process_definition_id);
create index flowinstance_start_user_ref on flowinstance (tenant_id, start_user);
alter table flowinstance enable row level security;
alter table flowinstance force row level security;
create policy tenant on flowinstance using (tenant_id = current_setting('app.tenant_id', true)) with check (tenant_id = current_setting('app.tenant_id', true));

alter table flowinstance add constraint flowinstance_process_definition_id_fkey foreign key (tenant_id, process_definition_id) references flowprocess (tenant_id, id);
alter table flowinstance add constraint flowinstance_start_user_fkey foreign key (tenant_id, start_user) references app_user (tenant_id, id);

-- What is deployed: the file as it came, and what the engine makes of it.
alter table flowprocess add column xml text not null check (octet_length(xml) <= 2097152);
alter table flowprocess add column plan jsonb not null;

-- What an instance knows: the fields of its form and the facts of its applicant.
alter table flowinstance add column variables jsonb not null default '{}';
create index flowinstance_business_ref on flowinstance (tenant_id, business_table, business_id);
create index flowinstance_open on flowinstance (tenant_id, state, id) where end_time is null;

create table flow_token (
  tenant_id text not null check (tenant_id ~ '^[0-9]{6}$'),
  id bigint not null,
  instance_id bigint not null,
  -- The version whose node it is: another one within a process that is called.
  process_id bigint not null,
  node text not null check (char_length(node) <= 255),
  -- The token of the sub-process, call or loop within which it moves.
  parent_id bigint,
  -- Set at a gateway that joins: by which flow it came.
  arrived_by text check (char_length(arrived_by) <= 255),
  data jsonb not null default '{}',
  primary key (tenant_id, id),
  constraint flow_token_instance_fkey foreign key (tenant_id, instance_id) references flowinstance (tenant_id, id) on delete cascade,
  constraint flow_token_process_fkey foreign key (tenant_id, process_id) references flowprocess (tenant_id, id)
);
create index flow_token_instance_ref on flow_token (tenant_id, instance_id);
create index flow_token_process_ref on flow_token (tenant_id, process_id);

create table flow_task (
  tenant_id text not null check (tenant_id ~ '^[0-9]{6}$'),
  id bigint not null,
  instance_id bigint not null,
  process_id bigint not null,
  -- The token that waits for it; none once it is over.
  token_id bigint,
  -- The step in flow_activity that it is a part of; a copy is part of none.
  step_id bigint,
  node text not null check (char_length(node) <= 255),
  name text not null check (char_length(name) <= 255),
  -- Who decides; null while nobody of several candidates has taken it.
  assignee bigint,
  -- Whose task it was before it was delegated: it comes back there.
  owner bigint,
  -- 0 waits, 1 done, 2 went without a decision, 3 a copy for information
  state smallint not null default 0 check (state between 0 and 3),
  outcome text check (char_length(outcome) <= 16),
  comment text check (char_length(comment) <= 2000),
  create_time timestamptz not null default clock_timestamp(),
  claim_time timestamptz,
  end_time timestamptz,
  due_time timestamptz,
  read_time timestamptz,
  primary key (tenant_id, id),
  constraint flow_task_instance_fkey foreign key (tenant_id, instance_id) references flowinstance (tenant_id, id) on delete cascade,
  constraint flow_task_process_fkey foreign key (tenant_id, process_id) references flowprocess (tenant_id, id),
  constraint flow_task_assignee_fkey foreign key (tenant_id, assignee) references app_user (tenant_id, id),
  constraint flow_task_owner_fkey foreign key (tenant_id, owner) references app_user (tenant_id, id)
);
-- A token waits for one task; steps that are asked of several have a token for each.
create unique index flow_task_token_ref on flow_task (tenant_id, token_id) where state = 0;
create index flow_task_instance_ref on flow_task (tenant_id, instance_id, id);
create index flow_task_process_ref on flow_task (tenant_id, process_id);
create index flow_task_todo on flow_task (tenant_id, assignee, id) where state = 0;
create index flow_task_done on flow_task (tenant_id, assignee, end_time, id) where state = 1;
create index flow_task_copy on flow_task (tenant_id, assignee, id) where state = 3;
create index flow_task_owner_ref on flow_task (tenant_id, owner);

-- Of whom it is enough that one takes the task.
create table flow_candidate (
  tenant_id text not null check (tenant_id ~ '^[0-9]{6}$'),
  task_id bigint not null,
  kind text not null check (kind in ('user', 'role', 'post', 'dept')),
  target_id bigint not null,
  primary key (tenant_id, task_id, kind, target_id),
  constraint flow_candidate_task_fkey foreign key (tenant_id, task_id) references flow_task (tenant_id, id) on delete cascade
);
create index flow_candidate_target on flow_candidate (tenant_id, kind, target_id, task_id);

-- What happened, in order: the history of an instance, and the path on its diagram. What lasts has the id of its token.
create table flow_activity (
  tenant_id text not null check (tenant_id ~ '^[0-9]{6}$'),
  id bigint not null,
  instance_id bigint not null,
  process_id bigint not null,
  node text not null check (char_length(node) <= 255),
  kind text not null check (char_length(kind) <= 32),
  name text check (char_length(name) <= 255),
  -- The flow by which it was come to.
  came_by text check (char_length(came_by) <= 255),
  outcome text check (char_length(outcome) <= 16),
  -- Within which forks it stood: a return to it takes back what came out of them.
  lineage text[] not null default '{}',
  begin_time timestamptz not null default clock_timestamp(),
  end_time timestamptz,
  primary key (tenant_id, id),
  constraint flow_activity_instance_fkey foreign key (tenant_id, instance_id) references flowinstance (tenant_id, id) on delete cascade,
  constraint flow_activity_process_fkey foreign key (tenant_id, process_id) references flowprocess (tenant_id, id)
);
create index flow_activity_instance_ref on flow_activity (tenant_id, instance_id, id);
create index flow_activity_process_ref on flow_activity (tenant_id, process_id);

create table flow_timer (
  tenant_id text not null check (tenant_id ~ '^[0-9]{6}$'),
  id bigint not null,
  instance_id bigint not null,
  token_id bigint not null,
  -- The event that comes due; of a task's own limit and of a service that is tried again, the node itself.
  node text not null check (char_length(node) <= 255),
  kind text not null check (kind in ('event', 'due', 'retry')),
  due_time timestamptz not null,
  -- How often it comes again; null without an end.
  repeats integer,
  tries integer not null default 0,
  primary key (tenant_id, id),
  constraint flow_timer_instance_fkey foreign key (tenant_id, instance_id) references flowinstance (tenant_id, id) on delete cascade,
  constraint flow_timer_token_fkey foreign key (tenant_id, token_id) references flow_token (tenant_id, id) on delete cascade
);
create index flow_timer_due on flow_timer (tenant_id, due_time);
create index flow_timer_token_ref on flow_timer (tenant_id, token_id);
create index flow_timer_instance_ref on flow_timer (tenant_id, instance_id);

alter table flow_token enable row level security;
alter table flow_token force row level security;
create policy tenant on flow_token using (tenant_id = current_setting('app.tenant_id', true)) with check (tenant_id = current_setting('app.tenant_id', true));

alter table flow_task enable row level security;
alter table flow_task force row level security;
create policy tenant on flow_task using (tenant_id = current_setting('app.tenant_id', true)) with check (tenant_id = current_setting('app.tenant_id', true));

alter table flow_candidate enable row level security;
alter table flow_candidate force row level security;
create policy tenant on flow_candidate using (tenant_id = current_setting('app.tenant_id', true)) with check (tenant_id = current_setting('app.tenant_id', true));

alter table flow_activity enable row level security;
alter table flow_activity force row level security;
create policy tenant on flow_activity using (tenant_id = current_setting('app.tenant_id', true)) with check (tenant_id = current_setting('app.tenant_id', true));

alter table flow_timer enable row level security;
alter table flow_timer force row level security;
create policy tenant on flow_timer using (tenant_id = current_setting('app.tenant_id', true)) with check (tenant_id = current_setting('app.tenant_id', true));

-- Files that an instance shows: those of its form, and those that came with a decision.
create table flow_file (
  tenant_id text not null check (tenant_id ~ '^[0-9]{6}$'),
  instance_id bigint not null,
  attach_id bigint not null,
  -- The decision that it came with; none for those of the form.
  task_id bigint,
  primary key (tenant_id, instance_id, attach_id),
  constraint flow_file_instance_fkey foreign key (tenant_id, instance_id) references flowinstance (tenant_id, id) on delete cascade,
  constraint flow_file_attach_fkey foreign key (tenant_id, attach_id) references attach (tenant_id, id)
);
create index flow_file_attach_ref on flow_file (tenant_id, attach_id);
alter table flow_file enable row level security;
alter table flow_file force row level security;
create policy tenant on flow_file using (tenant_id = current_setting('app.tenant_id', true)) with check (tenant_id = current_setting('app.tenant_id', true));

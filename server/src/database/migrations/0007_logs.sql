-- What happened, call by call: one partition for each month of Shanghai, made ahead by the owner (database/partitions.ts)
-- and dropped whole when its time is over. The keys are in the order of time: an id tells its own millisecond, so
-- create_time follows from it. Nobody points at a log and a log points at nobody: what it tells of may be long gone.
create table log_usual (
  tenant_id text not null check (tenant_id ~ '^[0-9]{6}$'),
  create_time timestamptz not null,
  id bigint not null,
  log_id text not null check (char_length(log_id) <= 32),
  log_level text not null check (char_length(log_level) <= 8),
  title text not null check (char_length(title) <= 200),
  service_id text check (char_length(service_id) <= 64),
  server_host text check (char_length(server_host) <= 128),
  env text check (char_length(env) <= 128),
  method text check (char_length(method) <= 8),
  request_uri text check (char_length(request_uri) <= 255),
  remote_ip text check (char_length(remote_ip) <= 64),
  user_agent text check (char_length(user_agent) <= 255),
  status smallint,
  time integer,
  create_by text check (char_length(create_by) <= 64),
  user_id bigint,
  trace_id text check (char_length(trace_id) <= 64),
  log_data text check (char_length(log_data) <= 4000),
  primary key (tenant_id, create_time, id)
) partition by range (create_time);
create index log_usual_user on log_usual (tenant_id, user_id, create_time, id);
create index log_usual_trace on log_usual (tenant_id, trace_id);

create table log_api (
  tenant_id text not null check (tenant_id ~ '^[0-9]{6}$'),
  create_time timestamptz not null,
  id bigint not null,
  title text not null check (char_length(title) <= 200),
  service_id text check (char_length(service_id) <= 64),
  server_host text check (char_length(server_host) <= 128),
  env text check (char_length(env) <= 128),
  method text check (char_length(method) <= 8),
  request_uri text check (char_length(request_uri) <= 255),
  remote_ip text check (char_length(remote_ip) <= 64),
  user_agent text check (char_length(user_agent) <= 255),
  status smallint,
  result text check (char_length(result) <= 64),
  time integer,
  create_by text check (char_length(create_by) <= 64),
  user_id bigint,
  trace_id text check (char_length(trace_id) <= 64),
  params text check (char_length(params) <= 4000),
  primary key (tenant_id, create_time, id)
) partition by range (create_time);
create index log_api_user on log_api (tenant_id, user_id, create_time, id);
create index log_api_trace on log_api (tenant_id, trace_id);

create table log_error (
  tenant_id text not null check (tenant_id ~ '^[0-9]{6}$'),
  create_time timestamptz not null,
  id bigint not null,
  title text not null check (char_length(title) <= 200),
  exception_name text check (char_length(exception_name) <= 128),
  service_id text check (char_length(service_id) <= 64),
  server_host text check (char_length(server_host) <= 128),
  env text check (char_length(env) <= 128),
  method text check (char_length(method) <= 8),
  request_uri text check (char_length(request_uri) <= 255),
  remote_ip text check (char_length(remote_ip) <= 64),
  user_agent text check (char_length(user_agent) <= 255),
  status smallint,
  time integer,
  create_by text check (char_length(create_by) <= 64),
  user_id bigint,
  trace_id text check (char_length(trace_id) <= 64),
  file_name text check (char_length(file_name) <= 255),
  line_number integer,
  message text check (char_length(message) <= 2000),
  stack_trace text check (char_length(stack_trace) <= 8000),
  params text check (char_length(params) <= 4000),
  primary key (tenant_id, create_time, id)
) partition by range (create_time);
create index log_error_user on log_error (tenant_id, user_id, create_time, id);
create index log_error_trace on log_error (tenant_id, trace_id);

do $$
declare t text;
begin
  foreach t in array array['log_usual', 'log_api', 'log_error']
  loop
    execute format('alter table %I enable row level security', t);
    execute format('alter table %I force row level security', t);
    execute format('create policy tenant on %I using (tenant_id = current_setting(''app.tenant_id'', true)) with check (tenant_id = current_setting(''app.tenant_id'', true))', t);
  end loop;
end $$;

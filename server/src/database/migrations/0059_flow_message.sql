-- Messages between instances. What is thrown is kept until somebody hears it, and whoever waits stands beside it, so that it
-- does not matter which of them comes first (docs/decisions/0026-flow-messages.md).
create table flow_message (
  tenant_id text not null check (tenant_id ~ '^[0-9]{6}$'),
  id bigint not null,
  name text not null check (char_length(name) <= 255),
  key text not null check (char_length(key) <= 255),
  -- The instance that has thrown it, with what its form says: a process that it starts takes over the fields of the same names.
  instance_id bigint not null,
  fields jsonb not null default '{}',
  -- How many processes in a row have been started by a message before.
  depth integer not null default 0,
  tries integer not null default 0,
  create_time timestamptz not null default clock_timestamp(),
  -- Not before: put off where delivering it failed.
  due_time timestamptz not null default clock_timestamp(),
  primary key (tenant_id, id),
  constraint flow_message_instance_fkey foreign key (tenant_id, instance_id) references flowinstance (tenant_id, id) on delete cascade
);
create index flow_message_key on flow_message (tenant_id, name, key, id);
create index flow_message_instance_ref on flow_message (tenant_id, instance_id);

create table flow_subscription (
  tenant_id text not null check (tenant_id ~ '^[0-9]{6}$'),
  token_id bigint not null,
  -- The event that hears it: the one where the token stands, behind its gateway, or at its edge.
  node text not null check (char_length(node) <= 255),
  instance_id bigint not null,
  name text not null check (char_length(name) <= 255),
  key text not null check (char_length(key) <= 255),
  primary key (tenant_id, token_id, node),
  constraint flow_subscription_token_fkey foreign key (tenant_id, token_id) references flow_token (tenant_id, id) on delete cascade,
  constraint flow_subscription_instance_fkey foreign key (tenant_id, instance_id) references flowinstance (tenant_id, id) on delete cascade
);
create index flow_subscription_key on flow_subscription (tenant_id, name, key, token_id);
create index flow_subscription_instance_ref on flow_subscription (tenant_id, instance_id);

alter table flow_message enable row level security;
alter table flow_message force row level security;
create policy tenant on flow_message using (tenant_id = current_setting('app.tenant_id', true)) with check (tenant_id = current_setting('app.tenant_id', true));

alter table flow_subscription enable row level security;
alter table flow_subscription force row level security;
create policy tenant on flow_subscription using (tenant_id = current_setting('app.tenant_id', true)) with check (tenant_id = current_setting('app.tenant_id', true));

-- The message by which a version is started; none where people start it.
alter table flowprocess add column start_message text check (char_length(start_message) <= 255);
update flowprocess p set start_message = left(n.value -> 'event' ->> 'name', 255)
  from flowprocess q, jsonb_each(q.plan -> 'nodes') n
  where q.tenant_id = p.tenant_id and q.id = p.id and n.value ->> 'type' = 'start' and n.value ->> 'scope' is null and n.value -> 'event' ->> 'kind' = 'message';
create index flowprocess_start_message on flowprocess (tenant_id, start_message) where start_message is not null;

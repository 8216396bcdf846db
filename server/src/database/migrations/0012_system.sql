-- What was granted to whom is history too: which menus, scopes and applications came and went.
alter table history drop constraint history_action_check;
alter table history add constraint history_action_check check (action in ('add', 'edit', 'delete', 'import', 'undo', 'restore', 'grant'));

-- Saves that were sent with a key of their own, so that the same save sent again is done once: kept for a day. `answer` is
-- sealed; it is null while the work goes on.
create table request_key (
  tenant_id text not null check (tenant_id ~ '^[0-9]{6}$'),
  user_id bigint not null,
  key text collate "C" not null check (key ~ '^[A-Za-z0-9_-]{16,64}$'),
  route text not null check (char_length(route) <= 200),
  body_hash bytea not null,
  answer bytea,
  at timestamptz not null default now(),
  primary key (tenant_id, user_id, key),
  foreign key (tenant_id, user_id) references app_user (tenant_id, id) on delete cascade
);
create index request_key_at on request_key (tenant_id, at);
alter table request_key enable row level security;
alter table request_key force row level security;
create policy tenant on request_key using (tenant_id = current_setting('app.tenant_id', true)) with check (tenant_id = current_setting('app.tenant_id', true));

-- A record that can be trusted: history sealed into a chain of hashes, and a log of who has read a child's record.

-- Rows are sealed in the order in which their transactions began to write; that of the rows which are there already is
-- not known any more: they count as written by this migration.
alter table history add column xid xid8 not null default pg_current_xact_id();
create index history_xid on history (tenant_id, xid, id);
create index history_request on history (tenant_id, request_id, id);
alter table history drop constraint history_action_check;
alter table history add constraint history_action_check check (action in ('add', 'edit', 'delete', 'import', 'undo', 'restore'));

-- Each seal binds the rows after the one before it, up to (to_xid, to_id): `row_hashes` holds 32 bytes for each of `ids`,
-- `hash` is over `prev_hash` and them.
create table history_seal (
  tenant_id text not null check (tenant_id ~ '^[0-9]{6}$'),
  seq bigint not null,
  from_xid xid8 not null,
  to_xid xid8 not null,
  to_id bigint not null,
  count integer not null check (count > 0),
  ids bigint[] not null,
  row_hashes bytea not null,
  prev_hash bytea not null,
  hash bytea not null,
  sealed_at timestamptz not null default now(),
  primary key (tenant_id, seq)
);

-- `child_id` is the student whose record it was. Both ids stay when the row is gone.
create table read_log (
  tenant_id text not null check (tenant_id ~ '^[0-9]{6}$'),
  id bigint not null,
  at timestamptz not null default now(),
  user_id bigint,
  user_name text,
  entity text not null,
  row_id bigint not null,
  child_id bigint not null,
  kind text not null check (kind in ('detail', 'personal', 'export', 'file')),
  reason text check (char_length(reason) <= 200),
  request_id text,
  address text check (char_length(address) <= 64),
  primary key (tenant_id, id)
);
create index read_log_child on read_log (tenant_id, child_id, id);
create index read_log_user on read_log (tenant_id, user_id, id);

do $$
declare t text;
begin
  foreach t in array array['history_seal', 'read_log']
  loop
    execute format('alter table %I enable row level security', t);
    execute format('alter table %I force row level security', t);
    execute format('create policy tenant on %I using (tenant_id = current_setting(''app.tenant_id'', true)) with check (tenant_id = current_setting(''app.tenant_id'', true))', t);
  end loop;
end $$;

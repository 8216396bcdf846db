-- Imports: the file's rows as they were read and corrected, checked, and committed as one batch.
create table import_batch (
  tenant_id text not null check (tenant_id ~ '^[0-9]{6}$'),
  id bigint not null,
  entity text not null,
  template text not null check (char_length(template) <= 32),
  file_name text not null check (char_length(file_name) <= 255),
  state text not null default 'reading' check (state in ('reading', 'mapping', 'checking', 'checked', 'committing', 'done', 'undoing', 'undone', 'failed')),
  settings jsonb not null default '{}',
  columns jsonb not null default '[]',
  mapping jsonb not null default '{}',
  progress integer not null default 0,
  total integer not null default 0,
  counts jsonb not null default '{}',
  failure jsonb,
  user_id bigint,
  user_name text,
  create_time timestamptz not null default now(),
  update_time timestamptz not null default now(),
  primary key (tenant_id, id)
);
create index import_batch_time on import_batch (tenant_id, create_time desc, id desc);

-- Cells hold children's personal data, so a row's cells are one sealed text until the batch is done, and then gone.
-- `keys` are keyed hashes of what no two rows may share; `row_id` is the stored row that it is about.
create table import_row (
  tenant_id text not null check (tenant_id ~ '^[0-9]{6}$'),
  batch_id bigint not null,
  row_no integer not null,
  cells bytea not null,
  faults jsonb not null default '[]',
  keys text[] not null default '{}',
  state text not null default 'read' check (state in ('read', 'good', 'bad', 'duplicate')),
  row_id bigint,
  primary key (tenant_id, batch_id, row_no),
  foreign key (tenant_id, batch_id) references import_batch (tenant_id, id) on delete cascade
);
create index import_row_state on import_row (tenant_id, batch_id, state, row_no);

do $$
declare t text;
begin
  foreach t in array array['import_batch', 'import_row']
  loop
    execute format('alter table %I enable row level security', t);
    execute format('alter table %I force row level security', t);
    execute format('create policy tenant on %I using (tenant_id = current_setting(''app.tenant_id'', true)) with check (tenant_id = current_setting(''app.tenant_id'', true))', t);
  end loop;
end $$;

-- The first import into empty tables is planned as if they stayed empty, and every reference is then checked by a walk
-- over the whole school. This looks at the tables anew where that is still so. It takes nobody's lock and gives no
-- power: it names its tables itself.
create function analyze_students() returns void language plpgsql security definer set search_path from current set lock_timeout = '50ms' as $$
declare t regclass;
begin
  foreach t in array array['student', 'studentdetail', 'studentparents', 'studentclass', 'history', 'search_key', 'import_row']::regclass[]
  loop
    begin
      if (select reltuples from pg_class where oid = t) < 1000 then
        execute format('analyze %s', t);
      end if;
    exception when lock_not_available then
      null;
    end;
  end loop;
end $$;

-- What was matched and answered in imports, for the next file: `field` is empty for a heading (`word`, folded) that means
-- a field, else the field of whose cells `word` (a keyed hash) is read as `answer`.
create table import_memory (
  tenant_id text not null check (tenant_id ~ '^[0-9]{6}$'),
  kind text not null check (char_length(kind) <= 32),
  field text not null check (char_length(field) <= 64),
  word text not null check (char_length(word) <= 200),
  answer text not null check (char_length(answer) <= 200),
  update_time timestamptz not null default now(),
  primary key (tenant_id, kind, field, word)
);
alter table import_memory enable row level security;
alter table import_memory force row level security;
create policy tenant on import_memory using (tenant_id = current_setting('app.tenant_id', true)) with check (tenant_id = current_setting('app.tenant_id', true));

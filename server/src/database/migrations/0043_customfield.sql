-- Fields of a tenant’s own, and what they hold (docs/decisions/0017-custom-fields.md).
create table customfield (
  tenant_id text not null check (tenant_id ~ '^[0-9]{6}$'),
  id bigint not null,
  owner text not null check (char_length(owner) <= 32),
  label text not null check (char_length(label) <= 30),
  label_en text check (char_length(label_en) <= 60),
  kind text not null check (char_length(kind) <= 32),
  options jsonb,
  max_length integer check (max_length between 1 and 500),
  digits integer check (digits between 0 and 4),
  minimum numeric(15, 4) check (minimum between -999999999 and 999999999),
  maximum numeric(15, 4) check (maximum between -999999999 and 999999999),
  required smallint check (required in (0, 1)),
  hint text check (char_length(hint) <= 100),
  sort integer check (sort between 0 and 9999),
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
  constraint customfield_owner_label_key unique (tenant_id, owner, label)
);
create index customfield_sort_sort on customfield (tenant_id, sort, id);
create index customfield_label_sort on customfield (tenant_id, label, id);
create index customfield_create_time_sort on customfield (tenant_id, create_time, id);
alter table customfield enable row level security;
alter table customfield force row level security;
create policy tenant on customfield using (tenant_id = current_setting('app.tenant_id', true)) with check (tenant_id = current_setting('app.tenant_id', true));

-- What these fields hold, by their ids. Small numbers of them per row, read with the row; filters on them read the rows of
-- the tenant, as those on most columns do.
alter table student add column custom jsonb not null default '{}' check (jsonb_typeof(custom) = 'object');
alter table app_user add column custom jsonb not null default '{}' check (jsonb_typeof(custom) = 'object');
alter table schoolclass add column custom jsonb not null default '{}' check (jsonb_typeof(custom) = 'object');

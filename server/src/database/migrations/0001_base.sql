-- Platform data: no tenant. What is needed before a tenant is known, and what all tenants share.

create table tenant (
  tenant_id text primary key check (tenant_id ~ '^[0-9]{6}$'),
  id bigint not null unique,
  tenant_name text not null check (char_length(tenant_name) between 1 and 60),
  domain text unique check (char_length(domain) <= 255),
  linkman text check (char_length(linkman) <= 20),
  contact_number text check (char_length(contact_number) <= 20),
  address text check (char_length(address) <= 255),
  account_number integer not null default -1,
  expire_time timestamptz,
  logo text check (char_length(logo) <= 500),
  status smallint not null default 1,
  version integer not null default 1,
  create_user_name text,
  create_time timestamptz not null default now(),
  update_time timestamptz not null default now()
);
-- A tenant sees itself and nobody else; the platform role has a policy of its own.
alter table tenant enable row level security;
alter table tenant force row level security;
create policy own on tenant using (tenant_id = current_setting('app.tenant_id', true)) with check (false);

create table client (
  id bigint primary key,
  client_id text not null unique check (char_length(client_id) <= 48),
  client_secret_hash bytea not null,
  scope text not null default 'all',
  authorized_grant_types text not null default 'refresh_token,password,captcha,social',
  access_token_validity integer not null default 3600 check (access_token_validity between 60 and 86400),
  refresh_token_validity integer not null default 604800 check (refresh_token_validity between 300 and 2592000),
  remark text check (char_length(remark) <= 255),
  status smallint not null default 1,
  version integer not null default 1,
  create_time timestamptz not null default now(),
  update_time timestamptz not null default now()
);

create table region (
  code text primary key check (code ~ '^[0-9]{2,12}$'),
  parent_code text not null,
  ancestors text not null,
  name text not null check (char_length(name) <= 60),
  level smallint not null check (level between 0 and 5),
  sort integer not null default 0,
  remark text check (char_length(remark) <= 255),
  valid_to date
);
create index region_parent on region (parent_code, sort, code);

create table menu (
  id bigint primary key,
  parent_id bigint references menu (id),
  code text not null unique check (char_length(code) <= 64),
  name text not null check (char_length(name) <= 64),
  name_en text not null check (char_length(name_en) <= 64),
  alias text check (char_length(alias) <= 64),
  path text check (char_length(path) <= 255),
  source text check (char_length(source) <= 64),
  sort integer not null default 0,
  category smallint not null default 1 check (category in (1, 2)),
  action smallint not null default 0,
  is_open smallint not null default 1,
  platform_only smallint not null default 0 check (platform_only in (0, 1)),
  remark text check (char_length(remark) <= 255),
  version integer not null default 1,
  create_time timestamptz not null default now(),
  update_time timestamptz not null default now()
);
create index menu_parent on menu (parent_id, sort);

create table dict (
  id bigint primary key,
  parent_id bigint references dict (id),
  code text not null check (char_length(code) <= 64),
  dict_key text not null check (char_length(dict_key) <= 32),
  dict_value text not null check (char_length(dict_value) <= 128),
  dict_value_en text check (char_length(dict_value_en) <= 128),
  sort integer not null default 0,
  is_sealed smallint not null default 0 check (is_sealed in (0, 1)),
  remark text check (char_length(remark) <= 255),
  version integer not null default 1,
  create_time timestamptz not null default now(),
  update_time timestamptz not null default now(),
  unique (code, dict_key)
);
create index dict_parent on dict (parent_id, sort);

-- Which seed has been laid, so that a second start lays nothing.
create table seed_mark (
  name text primary key,
  value text not null,
  at timestamptz not null default now()
);

-- Numbers of the processes that make ids; the last ten bits are used.
create sequence node_number;

-- What every tenant has beside its entities. Every table: tenant first, forced row-level security.

create table credential (
  tenant_id text not null check (tenant_id ~ '^[0-9]{6}$'),
  user_id bigint not null,
  hash text not null,
  must_change smallint not null default 0 check (must_change in (0, 1)),
  expires_at timestamptz,
  changed_at timestamptz not null default now(),
  primary key (tenant_id, user_id)
);

-- Failures are counted for what was typed, whether or not such an account exists.
create table login_failure (
  tenant_id text not null check (tenant_id ~ '^[0-9]{6}$'),
  account_hash bytea not null,
  failures integer not null default 0,
  lockouts integer not null default 0,
  window_start timestamptz not null default now(),
  locked_until timestamptz,
  primary key (tenant_id, account_hash)
);

create table session (
  tenant_id text not null check (tenant_id ~ '^[0-9]{6}$'),
  id bigint not null,
  user_id bigint not null,
  client_id text not null,
  access_hash bytea not null,
  access_expires timestamptz not null,
  -- The token before the last exchange goes on for a moment: calls of other browser tabs are on their way with it.
  prev_access_hash bytea,
  prev_access_until timestamptz,
  created_at timestamptz not null default now(),
  last_used timestamptz not null default now(),
  absolute_expires timestamptz not null,
  revoked_at timestamptz,
  revoked_reason text check (char_length(revoked_reason) <= 64),
  address text check (char_length(address) <= 64),
  agent text check (char_length(agent) <= 255),
  primary key (tenant_id, id),
  unique (tenant_id, access_hash)
);
create index session_live on session (tenant_id, user_id) where revoked_at is null;
create unique index session_prev_access on session (tenant_id, prev_access_hash) where prev_access_hash is not null;

create table refresh_token (
  tenant_id text not null check (tenant_id ~ '^[0-9]{6}$'),
  hash bytea not null,
  session_id bigint not null,
  expires timestamptz not null,
  used_at timestamptz,
  -- The successor pair, sealed with a key derived from this token: losers of a race get the same pair.
  successor bytea,
  created_at timestamptz not null default now(),
  primary key (tenant_id, hash),
  foreign key (tenant_id, session_id) references session (tenant_id, id) on delete cascade
);
create index refresh_token_session on refresh_token (tenant_id, session_id);

-- Raised by whatever changes what somebody in the tenant may do; read with every request.
create table grant_stamp (
  tenant_id text primary key check (tenant_id ~ '^[0-9]{6}$'),
  stamp bigint not null default 1
);

-- Raised by every write to an entity; several slots, so that writers do not queue behind one row.
create table entity_stamp (
  tenant_id text not null check (tenant_id ~ '^[0-9]{6}$'),
  entity text not null,
  slot smallint not null,
  stamp bigint not null default 1,
  primary key (tenant_id, entity, slot)
) with (fillfactor = 50);

create table role_menu (
  tenant_id text not null check (tenant_id ~ '^[0-9]{6}$'),
  role_id bigint not null,
  menu_id bigint not null references menu (id) on delete cascade,
  primary key (tenant_id, role_id, menu_id)
);

create table top_menu (
  tenant_id text not null check (tenant_id ~ '^[0-9]{6}$'),
  id bigint not null,
  code text not null check (char_length(code) <= 64),
  name text not null check (char_length(name) <= 64),
  name_en text not null check (char_length(name_en) <= 64),
  source text check (char_length(source) <= 64),
  path text check (char_length(path) <= 255),
  sort integer not null default 0,
  status smallint not null default 1,
  version integer not null default 1,
  create_time timestamptz not null default now(),
  update_time timestamptz not null default now(),
  primary key (tenant_id, id),
  unique (tenant_id, code)
);
create table top_menu_setting (
  tenant_id text not null check (tenant_id ~ '^[0-9]{6}$'),
  top_menu_id bigint not null,
  menu_id bigint not null references menu (id) on delete cascade,
  primary key (tenant_id, top_menu_id, menu_id),
  foreign key (tenant_id, top_menu_id) references top_menu (tenant_id, id) on delete cascade
);

-- Who changed what, when, from which request; `before` is the row as it stood (encrypted columns stay encrypted).
create table history (
  tenant_id text not null check (tenant_id ~ '^[0-9]{6}$'),
  id bigint not null,
  entity text not null,
  row_id bigint not null,
  version integer not null,
  action text not null check (action in ('add', 'edit', 'delete', 'import', 'undo')),
  at timestamptz not null default now(),
  user_id bigint,
  user_name text,
  request_id text,
  batch_id bigint,
  before jsonb,
  primary key (tenant_id, id)
);
create index history_row on history (tenant_id, entity, row_id, id desc);
create index history_batch on history (tenant_id, batch_id) where batch_id is not null;

-- What a row is found by: suffixes of names, pinyin and initials, numbers, and keyed hashes of personal numbers.
create table search_key (
  tenant_id text not null check (tenant_id ~ '^[0-9]{6}$'),
  entity text not null,
  key text collate "C" not null,
  row_id bigint not null,
  source_id bigint not null,
  primary key (tenant_id, entity, key, row_id, source_id)
);
create index search_key_source on search_key (tenant_id, source_id);

do $$
declare t text;
begin
  foreach t in array array['credential', 'login_failure', 'session', 'refresh_token', 'grant_stamp', 'entity_stamp',
    'role_menu', 'top_menu', 'top_menu_setting', 'history', 'search_key']
  loop
    execute format('alter table %I enable row level security', t);
    execute format('alter table %I force row level security', t);
    execute format('create policy tenant on %I using (tenant_id = current_setting(''app.tenant_id'', true)) with check (tenant_id = current_setting(''app.tenant_id'', true))', t);
  end loop;
end $$;

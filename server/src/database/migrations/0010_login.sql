-- More ways to log in: a picture to read, a code sent to a phone, a second factor, other people's log-ins.

-- What somebody was given to come back with. Its key is found by its hash; a code that belongs to it is kept as a keyed
-- hash. One that was used, has been tried too often or is too old opens nothing.
create table login_ticket (
  tenant_id text not null check (tenant_id ~ '^[0-9]{6}$'),
  hash bytea not null check (octet_length(hash) = 32),
  kind text not null check (kind in ('captcha', 'phone', 'second', 'social', 'guest')),
  -- Keyed hash of what it is about, where the key is not told: a phone.
  about bytea check (octet_length(about) = 16),
  code_hash bytea check (octet_length(code_hash) = 16),
  user_id bigint,
  client_id text check (char_length(client_id) <= 48),
  -- Sealed.
  payload bytea,
  tries smallint not null default 0,
  created_at timestamptz not null default now(),
  expires timestamptz not null,
  used_at timestamptz,
  primary key (tenant_id, hash)
);
create index login_ticket_about on login_ticket (tenant_id, kind, about, created_at) where about is not null;
create index login_ticket_created on login_ticket (tenant_id, created_at);
alter table login_ticket enable row level security;
alter table login_ticket force row level security;
create policy tenant on login_ticket using (tenant_id = current_setting('app.tenant_id', true)) with check (tenant_id = current_setting('app.tenant_id', true));

-- The second factor of a user: begun, and in force once a code has confirmed it.
create table second_factor (
  tenant_id text not null check (tenant_id ~ '^[0-9]{6}$'),
  user_id bigint not null,
  -- Sealed.
  secret bytea not null,
  confirmed_at timestamptz,
  -- The newest step of time whose code was accepted: neither it nor an older one is accepted again.
  last_step bigint not null default 0,
  created_at timestamptz not null default now(),
  primary key (tenant_id, user_id)
);
alter table second_factor enable row level security;
alter table second_factor force row level security;
create policy tenant on second_factor using (tenant_id = current_setting('app.tenant_id', true)) with check (tenant_id = current_setting('app.tenant_id', true));

-- Codes for who has lost the second factor, each good once; kept as keyed hashes.
create table recovery_code (
  tenant_id text not null check (tenant_id ~ '^[0-9]{6}$'),
  user_id bigint not null,
  hash bytea not null check (octet_length(hash) = 16),
  used_at timestamptz,
  primary key (tenant_id, user_id, hash),
  foreign key (tenant_id, user_id) references second_factor (tenant_id, user_id) on delete cascade
);
alter table recovery_code enable row level security;
alter table recovery_code force row level security;
create policy tenant on recovery_code using (tenant_id = current_setting('app.tenant_id', true)) with check (tenant_id = current_setting('app.tenant_id', true));

-- The console's own client may use them all; whether a tenant lets it is the tenant's to say.
update client set authorized_grant_types = '{password,captcha,sms_code,social,refresh_token}'
  where client_id ~ '^console-[0-9a-f]{16}$' and authorized_grant_types = '{password,refresh_token}';

-- Log-in by an account elsewhere: who is asked, who of ours is who there, and who asked for an account here.

create table social_provider (
  tenant_id text not null check (tenant_id ~ '^[0-9]{6}$'),
  id bigint not null,
  source text not null check (char_length(source) <= 32),
  kind text not null check (char_length(kind) <= 32),
  provider_name text not null check (char_length(provider_name) <= 32),
  provider_name_en text check (char_length(provider_name_en) <= 32),
  issuer text check (char_length(issuer) <= 255),
  client_id text not null check (char_length(client_id) <= 255),
  client_secret bytea,
  scopes text check (char_length(scopes) <= 255),
  sort integer check (sort between 0 and 9999),
  remark text check (char_length(remark) <= 500),
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
  constraint social_provider_source_key unique (tenant_id, source)
);
create index social_provider_sort_sort on social_provider (tenant_id, sort, id);
create index social_provider_source_sort on social_provider (tenant_id, source, id);
create index social_provider_create_time_sort on social_provider (tenant_id, create_time, id);
alter table social_provider enable row level security;
alter table social_provider force row level security;
create policy tenant on social_provider using (tenant_id = current_setting('app.tenant_id', true)) with check (tenant_id = current_setting('app.tenant_id', true));

create table guest (
  tenant_id text not null check (tenant_id ~ '^[0-9]{6}$'),
  id bigint not null,
  name text not null check (char_length(name) <= 50),
  account text not null check (char_length(account) <= 45),
  source text not null check (char_length(source) <= 32),
  social_name text check (char_length(social_name) <= 100),
  handler text check (char_length(handler) <= 64),
  reason text check (char_length(reason) <= 200),
  status smallint not null default 0,
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
create index guest_create_time_sort on guest (tenant_id, create_time, id);
alter table guest enable row level security;
alter table guest force row level security;
create policy tenant on guest using (tenant_id = current_setting('app.tenant_id', true)) with check (tenant_id = current_setting('app.tenant_id', true));

-- Who of ours is who there: by the provider and the subject that it names, never by an e-mail address.
create table social_identity (
  tenant_id text not null check (tenant_id ~ '^[0-9]{6}$'),
  id bigint not null,
  provider_id bigint not null,
  subject text not null check (char_length(subject) between 1 and 255),
  user_id bigint not null,
  social_name text check (char_length(social_name) <= 100),
  create_time timestamptz not null default now(),
  last_used timestamptz,
  primary key (tenant_id, id),
  unique (tenant_id, provider_id, subject),
  foreign key (tenant_id, provider_id) references social_provider (tenant_id, id),
  foreign key (tenant_id, user_id) references app_user (tenant_id, id) on delete cascade
);
create index social_identity_user on social_identity (tenant_id, user_id);
alter table social_identity enable row level security;
alter table social_identity force row level security;
create policy tenant on social_identity using (tenant_id = current_setting('app.tenant_id', true)) with check (tenant_id = current_setting('app.tenant_id', true));

-- What a registration waits with, and loses when it is decided: never in the history, which keeps rows as they were.
create table guest_secret (
  tenant_id text not null check (tenant_id ~ '^[0-9]{6}$'),
  guest_id bigint not null,
  provider_id bigint not null,
  subject text not null check (char_length(subject) between 1 and 255),
  password_hash text not null check (char_length(password_hash) <= 255),
  primary key (tenant_id, guest_id),
  unique (tenant_id, provider_id, subject),
  foreign key (tenant_id, guest_id) references guest (tenant_id, id) on delete cascade,
  foreign key (tenant_id, provider_id) references social_provider (tenant_id, id)
);
alter table guest_secret enable row level security;
alter table guest_secret force row level security;
create policy tenant on guest_secret using (tenant_id = current_setting('app.tenant_id', true)) with check (tenant_id = current_setting('app.tenant_id', true));

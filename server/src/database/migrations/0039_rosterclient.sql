-- Programs that read by OneRoster REST. Of a secret and of a token only the keyed hash is kept; both go with their client.
create table rosterclient (
  tenant_id text not null check (tenant_id ~ '^[0-9]{6}$'),
  id bigint not null,
  name text not null check (char_length(name) <= 64),
  purpose text not null check (char_length(purpose) <= 200),
  scopes text[] not null default '{}' check (cardinality(scopes) > 0),
  all_schools smallint check (all_schools in (0, 1)),
  expire_date date,
  last_used timestamptz,
  status smallint not null default 2,
  version integer not null default 1,
  ext_id text check (char_length(ext_id) <= 255),
  create_user bigint,
  create_dept bigint,
  create_time timestamptz not null default now(),
  update_user bigint,
  update_time timestamptz not null default now(),
  primary key (tenant_id, id),
  unique (tenant_id, ext_id),
  constraint rosterclient_name_key unique (tenant_id, name)
);
create index rosterclient_name_sort on rosterclient (tenant_id, name, id);
create index rosterclient_create_time_sort on rosterclient (tenant_id, create_time, id);
create table rosterclient_school (
  tenant_id text not null check (tenant_id ~ '^[0-9]{6}$'),
  owner_id bigint not null,
  target_id bigint not null,
  ord smallint not null,
  primary key (tenant_id, owner_id, target_id)
);
create index rosterclient_school_target on rosterclient_school (tenant_id, target_id);
alter table rosterclient_school enable row level security;
alter table rosterclient_school force row level security;
create policy tenant on rosterclient_school using (tenant_id = current_setting('app.tenant_id', true)) with check (tenant_id = current_setting('app.tenant_id', true));
alter table rosterclient enable row level security;
alter table rosterclient force row level security;
create policy tenant on rosterclient using (tenant_id = current_setting('app.tenant_id', true)) with check (tenant_id = current_setting('app.tenant_id', true));

alter table rosterclient_school add constraint rosterclient_school_owner foreign key (tenant_id, owner_id) references rosterclient (tenant_id, id) on delete cascade;
alter table rosterclient_school add constraint rosterclient_school_ids_fkey foreign key (tenant_id, target_id) references school (tenant_id, id);

create table roster_secret (
  tenant_id text not null check (tenant_id ~ '^[0-9]{6}$'),
  client_id bigint not null,
  hash bytea not null,
  made_at timestamptz not null default now(),
  primary key (tenant_id, client_id),
  foreign key (tenant_id, client_id) references rosterclient (tenant_id, id) on delete cascade
);
create table roster_token (
  tenant_id text not null check (tenant_id ~ '^[0-9]{6}$'),
  hash bytea not null,
  client_id bigint not null,
  scopes text[] not null,
  expires timestamptz not null,
  primary key (tenant_id, hash),
  foreign key (tenant_id, client_id) references rosterclient (tenant_id, id) on delete cascade
);
create index roster_token_client on roster_token (tenant_id, client_id);
do $$
declare t text;
begin
  foreach t in array array['roster_secret', 'roster_token']
  loop
    execute format('alter table %I enable row level security', t);
    execute format('alter table %I force row level security', t);
    execute format('create policy tenant on %I using (tenant_id = current_setting(''app.tenant_id'', true)) with check (tenant_id = current_setting(''app.tenant_id'', true))', t);
  end loop;
end $$;

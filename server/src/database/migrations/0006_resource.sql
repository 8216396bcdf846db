-- Resources and notices: places for files, ways to send text messages, what people are told.

create table oss (
  tenant_id text not null check (tenant_id ~ '^[0-9]{6}$'),
  id bigint not null,
  category text not null check (char_length(category) <= 32),
  oss_code text not null check (char_length(oss_code) <= 32),
  endpoint text not null check (char_length(endpoint) <= 255),
  region text check (char_length(region) <= 64),
  bucket_name text not null check (char_length(bucket_name) <= 63),
  access_key bytea not null,
  secret_key bytea not null,
  path_style smallint check (path_style in (0, 1)),
  app_id text check (char_length(app_id) <= 64),
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
  constraint oss_oss_code_key unique (tenant_id, oss_code)
);
create index oss_oss_code_sort on oss (tenant_id, oss_code, id);
create index oss_create_time_sort on oss (tenant_id, create_time, id);
alter table oss enable row level security;
alter table oss force row level security;
create policy tenant on oss using (tenant_id = current_setting('app.tenant_id', true)) with check (tenant_id = current_setting('app.tenant_id', true));

create table sms (
  tenant_id text not null check (tenant_id ~ '^[0-9]{6}$'),
  id bigint not null,
  category text not null check (char_length(category) <= 32),
  sms_code text not null check (char_length(sms_code) <= 32),
  template_id text check (char_length(template_id) <= 64),
  content text check (char_length(content) <= 500),
  access_key bytea,
  secret_key bytea,
  app_id text check (char_length(app_id) <= 64),
  region_id text check (char_length(region_id) <= 64),
  sign_name text check (char_length(sign_name) <= 32),
  endpoint text check (char_length(endpoint) <= 255),
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
  constraint sms_sms_code_key unique (tenant_id, sms_code)
);
create index sms_sms_code_sort on sms (tenant_id, sms_code, id);
create index sms_create_time_sort on sms (tenant_id, create_time, id);
alter table sms enable row level security;
alter table sms force row level security;
create policy tenant on sms using (tenant_id = current_setting('app.tenant_id', true)) with check (tenant_id = current_setting('app.tenant_id', true));

create table sms_log (
  tenant_id text not null check (tenant_id ~ '^[0-9]{6}$'),
  id bigint not null,
  sms_id bigint,
  sms_code text not null check (char_length(sms_code) <= 32),
  phone bytea not null,
  phone_hash bytea,
  phone_tail bytea,
  purpose text not null check (char_length(purpose) <= 32),
  state text not null check (char_length(state) <= 32),
  tries integer not null check (tries between 0 and 99),
  next_try timestamptz,
  sent_at timestamptz,
  message_id text check (char_length(message_id) <= 128),
  failure text check (char_length(failure) <= 500),
  status smallint not null default 1,
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
create index sms_log_create_time_sort on sms_log (tenant_id, create_time, id);
create index sms_log_sms_id_ref on sms_log (tenant_id, sms_id);
create index sms_log_phone_find on sms_log (tenant_id, phone_hash);
create index sms_log_phone_tail_find on sms_log (tenant_id, phone_tail);
alter table sms_log enable row level security;
alter table sms_log force row level security;
create policy tenant on sms_log using (tenant_id = current_setting('app.tenant_id', true)) with check (tenant_id = current_setting('app.tenant_id', true));

create table notice (
  tenant_id text not null check (tenant_id ~ '^[0-9]{6}$'),
  id bigint not null,
  title text not null check (char_length(title) <= 100),
  category text not null check (char_length(category) <= 32),
  release_time timestamptz not null,
  expire_time timestamptz,
  is_top smallint check (is_top in (0, 1)),
  need_read smallint check (need_read in (0, 1)),
  target_type text not null check (char_length(target_type) <= 32),
  target_ids jsonb,
  client_ids text check (char_length(client_ids) <= 500),
  summary text check (char_length(summary) <= 200),
  content text not null check (char_length(content) <= 65536),
  status smallint not null default 0,
  version integer not null default 1,
  ext_id text check (char_length(ext_id) <= 255),
  create_user bigint,
  create_dept bigint,
  create_time timestamptz not null default now(),
  update_user bigint,
  update_time timestamptz not null default now(),
  primary key (tenant_id, id),
  unique (tenant_id, ext_id),
  constraint notice_release_time_order check (release_time <= expire_time)
);
create index notice_release_time_sort on notice (tenant_id, release_time, id);
create index notice_title_sort on notice (tenant_id, title, id);
create index notice_create_time_sort on notice (tenant_id, create_time, id);
create table notice_attach (
  tenant_id text not null check (tenant_id ~ '^[0-9]{6}$'),
  owner_id bigint not null,
  target_id bigint not null,
  ord smallint not null,
  primary key (tenant_id, owner_id, target_id)
);
create index notice_attach_target on notice_attach (tenant_id, target_id);
alter table notice_attach enable row level security;
alter table notice_attach force row level security;
create policy tenant on notice_attach using (tenant_id = current_setting('app.tenant_id', true)) with check (tenant_id = current_setting('app.tenant_id', true));
alter table notice enable row level security;
alter table notice force row level security;
create policy tenant on notice using (tenant_id = current_setting('app.tenant_id', true)) with check (tenant_id = current_setting('app.tenant_id', true));

alter table sms_log add constraint sms_log_sms_id_fkey foreign key (tenant_id, sms_id) references sms (tenant_id, id);

alter table notice_attach add constraint notice_attach_owner foreign key (tenant_id, owner_id) references notice (tenant_id, id) on delete cascade;
alter table notice_attach add constraint notice_attach_ids_fkey foreign key (tenant_id, target_id) references attach (tenant_id, id);

-- Of a tenant's places and ways at most one is enabled each.
create unique index oss_enabled on oss (tenant_id) where status = 2;
create unique index sms_enabled on sms (tenant_id) where status = 2;

-- What waits to be sent: its parameters, sealed until the message has gone or is given up; a key that comes twice sends once.
alter table sms_log add column payload bytea, add column request_key text check (char_length(request_key) <= 64),
  add column leased_until timestamptz;
create unique index sms_log_request on sms_log (tenant_id, request_key) where request_key is not null;
create index sms_log_due on sms_log (tenant_id, next_try) where state in ('0', '2');
create index sms_log_phone_time on sms_log (tenant_id, phone_hash, create_time desc);
create index sms_log_kept on sms_log (tenant_id, create_time) where state in ('1', '3') and payload is not null;

-- Tenants in which a message is due: their rows are seen one tenant at a time, so they are looked through here.
create function sms_waiting() returns setof text language plpgsql as $$
declare code text;
begin
  for code in select t.tenant_id from tenant t where t.status in (1, 2) order by t.tenant_id
  loop
    perform set_config('app.tenant_id', code, true);
    if exists (select 1 from sms_log m where m.tenant_id = code and m.state in ('0', '2') and m.next_try <= now()
        and (m.leased_until is null or m.leased_until <= now())) then
      return next code;
    end if;
  end loop;
end $$;

-- Where a file lies (nothing: in the data folder), which kept bytes it shares with others alike, and whether it has been
-- put to use: what nobody has used for a day is swept.
alter table attach add column oss_id bigint, add column used_at timestamptz,
  add constraint attach_oss_id_fkey foreign key (tenant_id, oss_id) references oss (tenant_id, id);
update attach set used_at = create_time;
create index attach_sha256 on attach (tenant_id, sha256);
create index attach_unused on attach (tenant_id, create_time) where used_at is null;
create index attach_oss_id_ref on attach (tenant_id, oss_id);
-- What is kept is counted by its bytes, which several rows may share; avatars are addresses, and found by them.
create index attach_bytes on attach (tenant_id, name) include (attach_size);
create index app_user_avatar on app_user (tenant_id, avatar) where avatar is not null;
alter table tenant add column quota_storage_mb integer not null default -1 check (quota_storage_mb between -1 and 10000000);

-- Bytes that may lie in a store without a row that leads to them: on their way in, on their way out, or left behind by a
-- process that was killed. What is still here after `until` is removed from the store.
create table attach_loose (
  tenant_id text not null check (tenant_id ~ '^[0-9]{6}$'),
  id bigint not null,
  oss_id bigint,
  name text not null check (char_length(name) <= 255),
  reserved bigint not null check (reserved >= 0),
  until timestamptz not null,
  primary key (tenant_id, id),
  foreign key (tenant_id, oss_id) references oss (tenant_id, id)
);
create index attach_loose_due on attach_loose (tenant_id, until);
create index attach_loose_name on attach_loose (tenant_id, name);
create index attach_loose_oss_id_ref on attach_loose (tenant_id, oss_id);

-- Which pictures the text of a notice shows.
create table notice_image (
  tenant_id text not null check (tenant_id ~ '^[0-9]{6}$'),
  notice_id bigint not null,
  attach_id bigint not null,
  primary key (tenant_id, notice_id, attach_id),
  foreign key (tenant_id, notice_id) references notice (tenant_id, id) on delete cascade,
  foreign key (tenant_id, attach_id) references attach (tenant_id, id)
);
create index notice_image_attach on notice_image (tenant_id, attach_id);

-- Who has read which notice.
create table notice_read (
  tenant_id text not null check (tenant_id ~ '^[0-9]{6}$'),
  notice_id bigint not null,
  user_id bigint not null,
  read_at timestamptz not null default now(),
  primary key (tenant_id, notice_id, user_id),
  foreign key (tenant_id, notice_id) references notice (tenant_id, id) on delete cascade,
  foreign key (tenant_id, user_id) references app_user (tenant_id, id) on delete cascade
);
create index notice_read_user on notice_read (tenant_id, user_id);

-- What one person is told: by the product itself, one row each.
create table inbox (
  tenant_id text not null check (tenant_id ~ '^[0-9]{6}$'),
  id bigint not null,
  user_id bigint not null,
  kind text not null check (char_length(kind) <= 32),
  title text not null check (char_length(title) <= 200),
  title_en text check (char_length(title_en) <= 200),
  body text check (char_length(body) <= 1000),
  body_en text check (char_length(body_en) <= 1000),
  link text check (char_length(link) <= 255),
  read_at timestamptz,
  create_time timestamptz not null default now(),
  primary key (tenant_id, id),
  foreign key (tenant_id, user_id) references app_user (tenant_id, id) on delete cascade
);
create index inbox_user on inbox (tenant_id, user_id, id desc);
create index inbox_unread on inbox (tenant_id, user_id) where read_at is null;

do $$
declare t text;
begin
  foreach t in array array['attach_loose', 'notice_image', 'notice_read', 'inbox']
  loop
    execute format('alter table %I enable row level security', t);
    execute format('alter table %I force row level security', t);
    execute format('create policy tenant on %I using (tenant_id = current_setting(''app.tenant_id'', true)) with check (tenant_id = current_setting(''app.tenant_id'', true))', t);
  end loop;
end $$;

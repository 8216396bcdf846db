-- Addresses under which calendar programs read a timetable. Of an address only the keyed hash of its token is kept; a feed
-- that was withdrawn stays, so that its address is told from one that never was.
create table calendar_feed (
  tenant_id text not null check (tenant_id ~ '^[0-9]{6}$'),
  id bigint not null,
  hash bytea not null check (octet_length(hash) = 32),
  user_id bigint not null,
  kind text not null check (kind in ('own', 'class', 'room')),
  class_id bigint,
  room_id bigint,
  made_at timestamptz not null default now(),
  read_at timestamptz,
  withdrawn_at timestamptz,
  primary key (tenant_id, id),
  unique (tenant_id, hash),
  check ((kind = 'class') = (class_id is not null) and (kind = 'room') = (room_id is not null)),
  foreign key (tenant_id, user_id) references app_user (tenant_id, id) on delete cascade,
  foreign key (tenant_id, class_id) references schoolclass (tenant_id, id) on delete cascade,
  foreign key (tenant_id, room_id) references schoolclassroom (tenant_id, id) on delete cascade
);
create index calendar_feed_user on calendar_feed (tenant_id, user_id, made_at);
create index calendar_feed_class on calendar_feed (tenant_id, class_id);
create index calendar_feed_room on calendar_feed (tenant_id, room_id);
alter table calendar_feed enable row level security;
alter table calendar_feed force row level security;
create policy tenant on calendar_feed using (tenant_id = current_setting('app.tenant_id', true)) with check (tenant_id = current_setting('app.tenant_id', true));

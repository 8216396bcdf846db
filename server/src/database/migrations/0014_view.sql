-- How people see their lists: views with a name, their own or shared with a role, and each person's columns of a page.

create table saved_view (
  tenant_id text not null check (tenant_id ~ '^[0-9]{6}$'),
  id bigint not null,
  page text not null check (char_length(page) <= 64),
  name text not null check (char_length(name) between 1 and 50),
  user_id bigint not null,
  role_id bigint,
  content jsonb not null check (octet_length(content::text) <= 32768),
  version integer not null default 1,
  create_time timestamptz not null default now(),
  update_time timestamptz not null default now(),
  primary key (tenant_id, id),
  constraint saved_view_name_key unique (tenant_id, user_id, page, name),
  foreign key (tenant_id, user_id) references app_user (tenant_id, id) on delete cascade,
  -- A role that goes leaves the view to its owner.
  foreign key (tenant_id, role_id) references role (tenant_id, id) on delete set null (role_id)
);
create index saved_view_role on saved_view (tenant_id, role_id, page) where role_id is not null;

-- One person's columns of one page, and the view that the page opens with: a saved one's id, or a name of the page's own.
create table list_taste (
  tenant_id text not null check (tenant_id ~ '^[0-9]{6}$'),
  user_id bigint not null,
  page text not null check (char_length(page) <= 64),
  first text check (char_length(first) <= 64),
  taste jsonb check (octet_length(taste::text) <= 32768),
  update_time timestamptz not null default now(),
  primary key (tenant_id, user_id, page),
  foreign key (tenant_id, user_id) references app_user (tenant_id, id) on delete cascade
);

do $$
declare t text;
begin
  foreach t in array array['saved_view', 'list_taste']
  loop
    execute format('alter table %I enable row level security', t);
    execute format('alter table %I force row level security', t);
    execute format('create policy tenant on %I using (tenant_id = current_setting(''app.tenant_id'', true)) with check (tenant_id = current_setting(''app.tenant_id'', true))', t);
  end loop;
end $$;

-- What another system's OneRoster archive says beside the fields of a row: it leaves again as it came. `sourced_id` is the
-- record's as we export it, or its own where we have no row for it; `cells` is sealed.
create table roster_record (
  tenant_id text not null check (tenant_id ~ '^[0-9]{6}$'),
  file text not null check (char_length(file) <= 32),
  sourced_id text not null check (char_length(sourced_id) <= 300),
  cells bytea not null,
  primary key (tenant_id, file, sourced_id)
);
alter table roster_record enable row level security;
alter table roster_record force row level security;
create policy tenant on roster_record using (tenant_id = current_setting('app.tenant_id', true)) with check (tenant_id = current_setting('app.tenant_id', true));

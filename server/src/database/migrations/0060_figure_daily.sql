-- What the dashboard counted in each school on a day, kept once and never rewritten. Rows of no school stand under 0.
create table figure_daily (
  tenant_id text not null check (tenant_id ~ '^[0-9]{6}$'),
  day date not null,
  school_id bigint not null,
  figure text not null check (char_length(figure) between 1 and 40),
  count integer not null check (count >= 0),
  primary key (tenant_id, day, school_id, figure)
);
alter table figure_daily enable row level security;
alter table figure_daily force row level security;
create policy tenant on figure_daily using (tenant_id = current_setting('app.tenant_id', true)) with check (tenant_id = current_setting('app.tenant_id', true));

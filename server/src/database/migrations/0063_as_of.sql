-- What has changed since a day, by entity: a report of a past day asks for it (modules/report/as-of.ts).
create index history_at on history (tenant_id, entity, at) include (row_id, id);

-- When a figure was counted: changes since may speak of its day. The first ones were kept without it.
alter table figure_daily add column kept_at timestamptz;
alter table figure_daily alter column kept_at set default now();

-- How a change that is dated back would have made the figure of a past day another one; the figure itself stays as it was
-- seen. Noted once, with the first figure that is kept after the change.
create table figure_correction (
  tenant_id text not null check (tenant_id ~ '^[0-9]{6}$'),
  day date not null,
  school_id bigint not null,
  figure text not null check (char_length(figure) between 1 and 40),
  noted_on date not null check (noted_on > day),
  difference integer not null check (difference <> 0),
  primary key (tenant_id, day, school_id, figure, noted_on)
);
alter table figure_correction enable row level security;
alter table figure_correction force row level security;
create policy tenant on figure_correction using (tenant_id = current_setting('app.tenant_id', true)) with check (tenant_id = current_setting('app.tenant_id', true));

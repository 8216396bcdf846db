-- How the page of a menu entry stands in the console: alone on the screen, as a tab, and kept while its tab is hidden.
alter table menu
  add column full_screen smallint not null default 0 check (full_screen in (0, 1)),
  add column is_tab smallint not null default 1 check (is_tab in (0, 1)),
  add column keep_alive smallint not null default 1 check (keep_alive in (0, 1));

-- A list that shows more of children than its usual columns is recorded as a reading of each of them.
alter table read_log drop constraint read_log_kind_check;
alter table read_log add constraint read_log_kind_check check (kind in ('list', 'detail', 'personal', 'export', 'file'));

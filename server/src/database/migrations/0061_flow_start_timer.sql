-- Processes that the clock starts: when a version is started next, and how often it is after that; without an end where that is
-- empty. Versions that stand go on as they were, started by people, until they are deployed anew.
alter table flowprocess add column start_timer boolean not null default false;
alter table flowprocess add column start_due timestamptz;
alter table flowprocess add column start_repeats integer;
create index flowprocess_start_due on flowprocess (tenant_id, start_due) where start_due is not null;

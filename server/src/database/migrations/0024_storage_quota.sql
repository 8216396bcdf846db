-- A tenant that is made from now on has a storage quota, so that no tenant fills the disk of all. Those that are there
-- keep what was chosen for them.
alter table tenant alter column quota_storage_mb set default 10240;

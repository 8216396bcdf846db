-- Data sources are connected to: a file has no user, and a password is kept sealed.
alter table datasource alter column username drop not null;
alter table datasource add column password bytea;
-- Of the drivers, those that the product cannot serve are shown where rows have them, and offered no more.
update dict set is_sealed = 1, version = version + 1, update_time = now()
  where code = 'driver_class' and dict_key in ('sqlserver', 'oracle') and is_sealed = 0;
update dict set dict_value = 'MySQL / MariaDB', dict_value_en = 'MySQL / MariaDB', version = version + 1, update_time = now()
  where code = 'driver_class' and dict_key = 'mysql' and dict_value = 'MySQL';

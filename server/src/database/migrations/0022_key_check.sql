-- By these a start tells whether its secrets are those that the data was written with: a hash of a constant, keyed with
-- each key. They say nothing about the keys.
create table key_check (
  name text primary key check (char_length(name) <= 64),
  value bytea not null check (octet_length(value) = 32),
  at timestamptz not null default now()
);

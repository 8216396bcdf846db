-- A session that its person has locked: refused until it is unlocked. What is kept of the lock password is the SHA-256 of
-- a key derived from it in the browser.

alter table session add column locked_at timestamptz,
  add column lock_verifier bytea check (octet_length(lock_verifier) = 32),
  add column lock_failures smallint not null default 0;

-- Whose account a row counts, once wrong passwords have locked it: what was typed is kept as a hash alone, and may be
-- nobody's. No reference: a count outlives the account, and a new one by the same name stays locked.
alter table login_failure add column user_id bigint;

-- Wrong passwords for an account are counted by themselves at each address from which somebody of the tenant has been logged
-- in ('' for all others): a stranger's do not lock whoever sits at such an address out. It is asked for at every log-in.
alter table login_failure add column address text not null default '';
alter table login_failure drop constraint login_failure_pkey, add primary key (tenant_id, account_hash, address);
create index session_address on session (tenant_id, address);

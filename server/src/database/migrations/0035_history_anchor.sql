-- A dump that is brought back into another cluster meets lower numbers of transactions than those that the history is
-- sealed by. From then on this database's own numbers are raised, so that the chain goes on where it ended
-- (database/history-anchor.ts): when, after which number, and by how much.
create table history_anchor (
  at timestamptz primary key default now(),
  newest xid8 not null,
  shift numeric(20) not null check (shift > 0)
);

-- The newest number in the histories of all tenants, tenant by tenant, each by its index.
create function public.history_newest() returns xid8 language sql stable security definer
  set search_path = pg_catalog, public, pg_temp as $$
  with recursive owners (code) as (
    select (select h.tenant_id from public.history h order by h.tenant_id limit 1)
    union all
    select (select h.tenant_id from public.history h where h.tenant_id > o.code order by h.tenant_id limit 1) from owners o where o.code is not null
  )
  select n.xid from owners o
    cross join lateral (select h.xid from public.history h where h.tenant_id = o.code order by h.xid desc limit 1) n
  order by n.xid desc limit 1
$$;

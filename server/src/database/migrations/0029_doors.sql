-- Functions that do what their caller may not find everything by its own name: nobody puts something else in its place.
-- Who owns them and who may call them is set by the start (database/roles.ts); nothing is open to all from now on.
alter default privileges revoke execute on functions from public;
revoke all on function public.analyze_students(), public.sms_waiting() from public;

create or replace function public.analyze_students() returns void language plpgsql security definer
  set search_path = pg_catalog, public, pg_temp set lock_timeout = '50ms' as $$
declare t regclass;
begin
  foreach t in array array['public.student', 'public.studentdetail', 'public.studentparents', 'public.studentclass',
    'public.history', 'public.search_key', 'public.import_row']::regclass[]
  loop
    begin
      if (select c.reltuples from pg_catalog.pg_class c where c.oid = t) < 1000 then
        execute pg_catalog.format('analyze %s', t);
      end if;
    exception when lock_not_available then
      null;
    end;
  end loop;
end $$;

create or replace function public.purge_tenant(code text, names text[]) returns jsonb language plpgsql security definer
  set search_path = pg_catalog, public, pg_temp as $$
declare
  parts text;
  counts text;
  answer jsonb;
begin
  if code is distinct from pg_catalog.current_setting('app.tenant_id', true) then
    raise exception 'the transaction has not named tenant %', code;
  end if;
  if exists (select 1 from public.tenant t where t.tenant_id = code and t.status <> 9) then
    raise exception 'tenant % is not marked for removal', code;
  end if;
  select pg_catalog.string_agg(pg_catalog.format('d%s as (delete from public.%I where tenant_id = $1 returning 1)', n, name), ', '),
      pg_catalog.string_agg(pg_catalog.format('select %L as name, (select count(*) from d%s) as n', name, n), ' union all ')
    into parts, counts
    from (select c.relname as name, pg_catalog.row_number() over (order by c.relname) as n
      from pg_catalog.pg_class c join pg_catalog.pg_namespace s on s.oid = c.relnamespace
        join pg_catalog.pg_policy p on p.polrelid = c.oid and p.polname = 'tenant'
      where s.nspname = 'public' and c.relkind in ('r', 'p') and not c.relispartition and c.relname = any(names)) as tables;
  if parts is null then
    return '{}';
  end if;
  execute 'with ' || parts || ' select jsonb_object_agg(name, n) from (' || counts || ') as counted' into answer using code;
  return answer;
end $$;

-- An administrators' role comes with its tenant, before its row is there, and is given to none that stands.
create policy administrators on role as restrictive for insert
  with check (is_admin = 0 or not exists (select 1 from public.tenant t where t.tenant_id = role.tenant_id));

-- Hashes of tokens are keyed: the key comes from the start, and what stands is hashed once more with it, so that everybody
-- stays logged in. Tickets of a few minutes are not worth it. Without the key nobody's session goes on.
delete from login_ticket;
update session set access_hash = sha256(decode(right(k.pads, 128), 'hex') || sha256(decode(left(k.pads, 128), 'hex') || access_hash)),
    prev_access_hash = sha256(decode(right(k.pads, 128), 'hex') || sha256(decode(left(k.pads, 128), 'hex') || prev_access_hash))
  from (select nullif(current_setting('app.token_pads', true), '') as pads) k where k.pads is not null;
update refresh_token set hash = sha256(decode(right(k.pads, 128), 'hex') || sha256(decode(left(k.pads, 128), 'hex') || hash))
  from (select nullif(current_setting('app.token_pads', true), '') as pads) k where k.pads is not null;
delete from session where nullif(current_setting('app.token_pads', true), '') is null;

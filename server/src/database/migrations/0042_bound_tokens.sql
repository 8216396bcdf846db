-- What is kept of a token is bound to the session and the person that it was made for: copied to another row it opens
-- nothing. The key is that of the hashes and comes from the start; everybody stays logged in. Without it nobody's session
-- goes on.
alter table session add column access_seal bytea, add column prev_access_seal bytea;
alter table refresh_token add column seal bytea;
delete from session where nullif(current_setting('app.token_pads', true), '') is null;
create function public.keyed_message(pads text, message text) returns bytea language sql as $$
  select sha256(decode(right(pads, 128), 'hex') || sha256(decode(left(pads, 128), 'hex') || convert_to(message, 'UTF8')))
$$;
update session set
  access_seal = public.keyed_message(current_setting('app.token_pads'), concat_ws('|', 'access', tenant_id, id, user_id, encode(access_hash, 'hex'))),
  prev_access_seal = case when prev_access_hash is not null
    then public.keyed_message(current_setting('app.token_pads'), concat_ws('|', 'access', tenant_id, id, user_id, encode(prev_access_hash, 'hex'))) end;
update refresh_token r set
  seal = public.keyed_message(current_setting('app.token_pads'), concat_ws('|', 'refresh', r.tenant_id, s.id, s.user_id, encode(r.hash, 'hex')))
  from session s where s.tenant_id = r.tenant_id and s.id = r.session_id;
drop function public.keyed_message(text, text);
alter table session alter column access_seal set not null;
alter table refresh_token alter column seal set not null;

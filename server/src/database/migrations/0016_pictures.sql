-- The pictures of a tenant's log-in page are files of the platform's own tenant: there it must be seen that they are in
-- use, so that nobody removes them. Within it, and nowhere else, the app role sees the tenants that have one.
create policy pictures on tenant for select
  using (current_setting('app.tenant_id', true) = '000000' and (logo is not null or background_url is not null));

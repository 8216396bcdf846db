-- What nobody watches is found among running instances: a step beyond its limit, and one whose approver is away or has left.
alter table flowinstance
  add column is_overdue smallint not null default 0 check (is_overdue in (0, 1)),
  add column lacks_approver smallint not null default 0 check (lacks_approver in (0, 1));
update flowinstance i set is_overdue = 1
  where i.end_time is null
    and exists (select from flow_task t where t.tenant_id = i.tenant_id and t.instance_id = i.id and t.state = 0 and t.due_time < now());
create index flowinstance_unattended on flowinstance (tenant_id, id) where lacks_approver = 1;

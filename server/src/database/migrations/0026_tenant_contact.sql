-- A tenant without a contact has none. '-' stood in its place, was shown as if it were a name, and is no number to ring.
alter table tenant alter column linkman drop default, alter column contact_number drop default,
  alter column linkman drop not null, alter column contact_number drop not null;
update tenant set linkman = nullif(linkman, '-'), contact_number = nullif(contact_number, '-')
  where linkman = '-' or contact_number = '-';

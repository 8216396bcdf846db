-- What the national form asks beyond what a row cannot do without may be unknown: it is found as missing and put right
-- later, and never made up.
alter table student
  alter column nation drop not null,
  alter column nationality drop not null,
  alter column overseas drop not null,
  alter column politics drop not null,
  alter column health drop not null,
  alter column enroll_date drop not null,
  alter column enroll_way drop not null,
  alter column source drop not null,
  alter column study_way drop not null;
alter table studentdetail
  alter column native_place_code drop not null,
  alter column birth_place_code drop not null,
  alter column hukou_region_code drop not null,
  alter column hukou_type drop not null,
  alter column home_address drop not null,
  alter column mail_address drop not null,
  alter column postcode drop not null,
  alter column is_only_child drop not null,
  alter column had_preschool drop not null,
  alter column left_behind drop not null,
  alter column is_migrant_child drop not null,
  alter column is_orphan drop not null,
  alter column is_martyr_child drop not null,
  alter column in_class_sped drop not null,
  alter column disability_type drop not null,
  alter column needs_aid drop not null,
  alter column has_subsidy drop not null,
  alter column is_poverty drop not null,
  alter column distance_km drop not null,
  alter column commute drop not null,
  alter column needs_bus drop not null,
  alter column gov_paid_seat drop not null,
  alter column emergency_name drop not null,
  alter column emergency_phone drop not null,
  alter column emergency_relation drop not null;
alter table studentparents
  alter column parent_name drop not null,
  alter column relation drop not null,
  alter column mobile drop not null;
alter table studentparents
  add column other_phone bytea,
  add column other_phone_hash bytea,
  add column other_phone_tail bytea;
create index studentparents_other_phone_find on studentparents (tenant_id, other_phone_hash);
create index studentparents_other_phone_tail_find on studentparents (tenant_id, other_phone_tail);

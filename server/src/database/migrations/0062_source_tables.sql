-- The tables of its data source that the reports of a tenant may read, as the platform's administrators chose them.
alter table tenant add column source_tables jsonb;

-- A row that somebody chose to leave out is no fault: it waits for nobody, and stops no import.
alter table import_row drop constraint import_row_state_check;
alter table import_row add constraint import_row_state_check check (state in ('read', 'good', 'bad', 'duplicate', 'out'));

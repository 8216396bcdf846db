-- A day that is made up says whose timetable it has. Those of which nobody said it were taught as the weekday that they are,
-- which is what a taught day is; what lessons take stays as it was.
alter table schoolcalendarday no force row level security;
alter table schoolcalendarday disable trigger schoolcalendarday_occupies;
update schoolcalendarday set day_type = '1' where day_type = '3' and use_weekday is null;
alter table schoolcalendarday enable trigger schoolcalendarday_occupies;
alter table schoolcalendarday force row level security;
alter table schoolcalendarday add constraint schoolcalendarday_made_up_as check (day_type <> '3' or use_weekday is not null);

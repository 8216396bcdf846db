-- A pupil of whom a roster tells no number has no kind of document either: the default said of each that it was an identity card.
alter table student alter column id_type drop not null;

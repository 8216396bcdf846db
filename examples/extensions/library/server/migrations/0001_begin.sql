-- What a library holds, and who has it: as draft.ts prints the two entities.
create table library_book (
  tenant_id text not null check (tenant_id ~ '^[0-9]{6}$'),
  id bigint not null,
  school_id bigint not null,
  title text not null check (char_length(title) <= 200),
  isbn text check (char_length(isbn) <= 17),
  shelf text check (char_length(shelf) <= 32),
  copies integer not null check (copies between 1 and 9999),
  price numeric(15, 2) check (price between 0 and 99999),
  remark text check (char_length(remark) <= 500),
  status smallint not null default 1,
  version integer not null default 1,
  ext_id text check (char_length(ext_id) <= 255),
  create_user bigint,
  create_dept bigint,
  create_time timestamptz not null default now(),
  update_user bigint,
  update_time timestamptz not null default now(),
  primary key (tenant_id, id),
  unique (tenant_id, school_id, id),
  unique (tenant_id, ext_id),
  constraint library_book_school_id_isbn_key unique (tenant_id, school_id, isbn)
);
create index library_book_title_sort on library_book (tenant_id, title, id);
create index library_book_create_time_sort on library_book (tenant_id, create_time, id);
alter table library_book enable row level security;
alter table library_book force row level security;
create policy tenant on library_book using (tenant_id = current_setting('app.tenant_id', true)) with check (tenant_id = current_setting('app.tenant_id', true));

create table library_loan (
  tenant_id text not null check (tenant_id ~ '^[0-9]{6}$'),
  id bigint not null,
  school_id bigint not null,
  book_id bigint not null,
  student_id bigint not null,
  lent_on date not null,
  due_on date not null,
  returned_on date,
  state text not null check (char_length(state) <= 32),
  status smallint not null default 1,
  version integer not null default 1,
  ext_id text check (char_length(ext_id) <= 255),
  create_user bigint,
  create_dept bigint,
  create_time timestamptz not null default now(),
  update_user bigint,
  update_time timestamptz not null default now(),
  primary key (tenant_id, id),
  unique (tenant_id, school_id, id),
  unique (tenant_id, ext_id),
  constraint library_loan_lent_on_order check (lent_on <= due_on)
);
create index library_loan_lent_on_sort on library_loan (tenant_id, lent_on, id);
create index library_loan_create_time_sort on library_loan (tenant_id, create_time, id);
create index library_loan_book_id_ref on library_loan (tenant_id, book_id);
create index library_loan_student_id_ref on library_loan (tenant_id, student_id);
alter table library_loan enable row level security;
alter table library_loan force row level security;
create policy tenant on library_loan using (tenant_id = current_setting('app.tenant_id', true)) with check (tenant_id = current_setting('app.tenant_id', true));

alter table library_book add constraint library_book_school_id_fkey foreign key (tenant_id, school_id) references school (tenant_id, id);

alter table library_loan add constraint library_loan_school_id_fkey foreign key (tenant_id, school_id) references school (tenant_id, id);
alter table library_loan add constraint library_loan_book_id_fkey foreign key (tenant_id, school_id, book_id) references library_book (tenant_id, school_id, id);
alter table library_loan add constraint library_loan_student_id_fkey foreign key (tenant_id, school_id, student_id) references student (tenant_id, school_id, id);

-- Where a book stands among others, as the library's catalogue says it.
alter table library_book add column call_no text check (char_length(call_no) <= 40);

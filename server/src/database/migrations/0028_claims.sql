-- Nothing ever read a school's time zone: days and times are China's everywhere.
alter table school drop column timezone;
-- Nothing connects to a data source, so there is no reason to hold the password of one.
alter table datasource drop column password;
-- Nothing sends messages to parents yet: one that says it was sent never was.
update studentmessage set state = '0' where state <> '0';
update dict set dict_value = '未发送', dict_value_en = 'Not sent yet'
  where code = 'message_state' and dict_key = '0' and dict_value = '草稿';

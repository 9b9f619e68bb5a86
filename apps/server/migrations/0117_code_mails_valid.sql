-- Reads the mails once, and blocks neither reads nor writes.
-- oldest-service: 0.2.0
-- no-transaction
alter table mail validate constraint mail_type_check;

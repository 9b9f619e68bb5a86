-- mail_undelivered_by_age has replaced it.
-- oldest-service: 0.2.0
-- no-transaction
drop index concurrently if exists mail_undelivered;

-- Finds mails that were not sent: notices to print, and mails that were given up.
-- oldest-service: 0.2.0
-- no-transaction
create index concurrently mail_unsent on mail (type, attempts) where sent_at is null;

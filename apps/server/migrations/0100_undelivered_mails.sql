-- The mails that bounced or were given up, those first that are oldest: a page of the work queue reads as many as it shows.
-- oldest-service: 0.2.0
-- no-transaction
create index concurrently mail_undelivered on mail (created_at, id) where due_at is null and (sent_at is null or bounced_at is not null);

-- Finds the mails that bounced or were given up, for the work queue.
-- oldest-service: 0.2.0
-- no-transaction
create index concurrently mail_undelivered on mail (partner_id, created_at, id) where due_at is null and (sent_at is null or bounced_at is not null);

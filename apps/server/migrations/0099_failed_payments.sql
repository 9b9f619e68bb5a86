-- Finds the payments of plans that failed and are not paid yet, for the work queue.
-- oldest-service: 0.2.0
-- no-transaction
create index concurrently installment_failed on installment (partner_id, due_date, id) where state in ('failed', 'overdue');

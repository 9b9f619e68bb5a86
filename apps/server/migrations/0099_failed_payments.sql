-- The failed payments of plans, those first that are oldest: a page of the work queue reads as many as it shows.
-- oldest-service: 0.2.0
-- no-transaction
create index concurrently installment_failed on installment ((due_date::timestamp at time zone 'UTC'), id) where state in ('failed', 'overdue');

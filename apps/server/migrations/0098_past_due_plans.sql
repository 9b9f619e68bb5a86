-- Finds the plans that are past due, for the work queue.
-- oldest-service: 0.2.0
-- no-transaction
create index concurrently plan_past_due on plan (partner_id, rent_cycle_date, id) where state = 'past_due';

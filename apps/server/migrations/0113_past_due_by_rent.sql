-- The order by the date of the rent, which the order by the oldest payment has replaced.
-- oldest-service: 0.2.0
-- no-transaction
drop index concurrently if exists plan_past_due;

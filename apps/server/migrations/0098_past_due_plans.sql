-- The plans that are past due, those first that are oldest: a page of the work queue reads as many as it shows.
-- oldest-service: 0.2.0
-- no-transaction
create index concurrently plan_past_due on plan ((rent_cycle_date::timestamp at time zone 'UTC'), id) where state = 'past_due';

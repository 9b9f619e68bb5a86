-- The plans that are past due, those first that are late for longest. A service of 0.2.0 sets no date.
-- oldest-service: 0.2.0
-- no-transaction
create index concurrently plan_late on plan ((coalesce(past_due_since, rent_cycle_date)::timestamp at time zone 'UTC'), id) where state = 'past_due';

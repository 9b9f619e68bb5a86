-- plan_past_due_by_age has replaced it.
-- oldest-service: 0.2.0
-- no-transaction
drop index concurrently if exists plan_past_due;

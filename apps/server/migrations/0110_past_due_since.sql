-- The due date of the oldest payment that is not paid, while a plan is past due: the work queue sorts by it.
-- oldest-service: 0.2.0
alter table plan add column past_due_since date;

-- Reads the history once, and blocks neither reads nor writes.
-- oldest-service: 0.2.0
-- no-transaction
alter table plan_history validate constraint plan_history_kind_check;

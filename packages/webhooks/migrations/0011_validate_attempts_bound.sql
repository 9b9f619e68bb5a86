-- Reads the table without blocking reads or writes.
-- oldest-service: 0.2.0
-- no-transaction
alter table webhook_attempts validate constraint webhook_attempts_bound;

-- The new key has the same columns.
-- oldest-service: 0.2.0
-- contract: the new key serves every statement that used this index
-- no-transaction
drop index concurrently if exists plan_history_plan;

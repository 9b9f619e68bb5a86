-- The key takes over the new index, which serves every statement that used the index on the same columns.
-- oldest-service: 0.2.0
-- contract: replaces a key and an index that no service names
alter table plan_history
  drop constraint plan_history_pkey,
  add constraint plan_history_pkey primary key using index plan_history_by_plan;

drop index plan_history_plan;

-- oldest-service: 0.2.0
-- contract: replaces a key that no service names
alter table plan_history
  drop constraint plan_history_pkey,
  add constraint plan_history_pkey primary key using index plan_history_by_plan;

-- A plan's history is only ever read by its plan, so one index serves as the key and for reading. The
-- old key and the index for reading took more than the rows.
-- oldest-service: 0.2.0
-- no-transaction
create unique index concurrently plan_history_by_plan on plan_history (partner_id, plan_id, id);

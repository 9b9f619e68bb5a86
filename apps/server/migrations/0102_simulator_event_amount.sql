-- A simulated dispute can move a part of its charge. Null: the whole charge, reported without a dispute.
-- oldest-service: 0.2.0
alter table simulator_event add column amount_in_cents bigint;

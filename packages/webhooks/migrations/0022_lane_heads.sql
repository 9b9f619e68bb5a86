-- Finds the first delivery of a lane.
-- oldest-service: 0.2.0
-- no-transaction
create index concurrently webhook_deliveries_open_lanes
  on webhook_deliveries_open (owner, endpoint_id, lane, position, trigger) where lane is not null;

-- Of each lane, at most one delivery is leased, whatever claims run at the same time.
-- oldest-service: 0.2.0
-- no-transaction
create unique index concurrently webhook_deliveries_open_lane_leased
  on webhook_deliveries_open (owner, endpoint_id, lane) where lane is not null and node is not null;

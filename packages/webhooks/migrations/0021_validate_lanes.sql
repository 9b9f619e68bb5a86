-- Reads the open deliveries once, and blocks neither reads nor writes.
-- oldest-service: 0.2.0
-- no-transaction
alter table webhook_deliveries_open validate constraint webhook_deliveries_open_lane_check;

-- Reads the replays once, and blocks neither reads nor writes.
-- oldest-service: 0.2.0
-- no-transaction
alter table webhook_replays validate constraint webhook_replays_status_class_check;

-- A delivery to an ordered endpoint has a lane, which is the subject of its message, and its position in
-- it. Only one delivery of a lane is due. The others wait: they are due in the year 9999, a time that older releases can read.
-- Older releases may finish a delivery of a lane without making the next one due. Processes of this
-- version find such lanes within seconds.
-- oldest-service: 0.2.0
alter table webhook_deliveries_open
  add column lane text collate "C",
  add column position bigint,
  add constraint webhook_deliveries_open_lane_check
    check ((lane is null) = (position is null)) not valid;

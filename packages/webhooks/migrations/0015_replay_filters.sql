-- Replays by tenant, channel and the result of the last attempt. Null: any.
--
-- A service of 0.2.0 that runs beside this version ignores the columns, so it replays messages that
-- such a replay leaves out. Receivers recognize them by their webhook-id.
-- oldest-service: 0.2.0
alter table webhook_replays
  add column status_class text,
  add column error_class text,
  add column subject text collate "C",
  add column channel text,
  add constraint webhook_replays_status_class_check
    check (status_class in ('none', '1xx', '2xx', '3xx', '4xx', '5xx')) not valid;

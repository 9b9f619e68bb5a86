-- Filters of a replay by tenant, by channel, and by the result of the last attempt. Null matches any.
--
-- Release 0.2.0 does not know these columns. While it runs beside this version, it may process a
-- filtered replay and also send messages that the filter excludes. Receivers already have to ignore a
-- webhook-id that they have seen.
-- oldest-service: 0.2.0
alter table webhook_replays
  add column status_class text,
  add column error_class text,
  add column subject text collate "C",
  add column channel text,
  add constraint webhook_replays_status_class_check
    check (status_class in ('none', '1xx', '2xx', '3xx', '4xx', '5xx')) not valid;

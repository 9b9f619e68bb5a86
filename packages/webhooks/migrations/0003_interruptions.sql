-- How often a process died, or lost its lease, while it held the delivery; such an attempt is not
-- counted, but a delivery that processes keep dying of must not come up at once each time.
alter table webhook_deliveries_open
  add column interrupted smallint not null default 0 check (interrupted >= 0);

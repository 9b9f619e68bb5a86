-- A chargeback can take back a part of a payment: these cents, or all of it if null.
-- oldest-service: 0.2.0
alter table processor_event add column amount_in_cents bigint,
  add constraint processor_event_amount_check check (amount_in_cents > 0) not valid;

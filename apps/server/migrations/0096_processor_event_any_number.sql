-- A payment can be disputed more than once, and each dispute can take and give back money in parts.
-- oldest-service: 0.2.0
-- contract: 0.2.0 writes one event of each kind for a payment and does not name the constraint
alter table processor_event drop constraint processor_event_partner_id_payment_id_kind_key;

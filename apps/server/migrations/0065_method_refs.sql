-- The id of an account or card at the processor. An event can change or remove it.
-- oldest-service: 0.2.0
alter table payment_method add column method_ref text;

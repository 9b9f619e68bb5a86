-- Finds what banks did with a payment, which may be more than one event of each kind.
-- oldest-service: 0.2.0
-- no-transaction
create index concurrently processor_event_payment on processor_event (partner_id, payment_id);

-- A processor names a call by our key, and no partner.
-- oldest-service: 0.2.0
-- no-transaction
create index concurrently processor_call_key on processor_call (key);

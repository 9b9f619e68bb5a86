-- Finds the account or card that an event of the processor names.
-- oldest-service: 0.2.0
-- no-transaction
create index concurrently if not exists payment_method_ref on payment_method (method_ref)
  where method_ref is not null;

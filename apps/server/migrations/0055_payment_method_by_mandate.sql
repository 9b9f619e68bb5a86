-- Finds the bank account whose permission to debit was revoked.
-- oldest-service: 0.2.0
-- no-transaction
create index concurrently if not exists payment_method_mandate on payment_method (mandate_ref)
  where mandate_ref is not null;

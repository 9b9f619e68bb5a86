-- Finds bank accounts and cards by their last four digits.
-- oldest-service: 0.2.0
-- no-transaction
create index concurrently payment_method_last4 on payment_method (last4);

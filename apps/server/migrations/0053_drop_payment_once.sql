-- Allowed one payment for each installment. payment_not_part replaces it.
-- oldest-service: 0.2.0
-- contract: no service names this index, and services that write no part payments keep its rule
-- no-transaction
drop index concurrently if exists payment_once;

-- Finds the visits to the processor's page that have ended, to delete them.
-- oldest-service: 0.2.0
-- no-transaction
create index concurrently if not exists payment_setup_ended on payment_setup (created_at)
  where check_at is null;

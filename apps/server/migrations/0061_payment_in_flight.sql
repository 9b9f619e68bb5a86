-- One payment of an installment is in flight at a time.
-- oldest-service: 0.2.0
-- no-transaction
create unique index concurrently if not exists payment_in_flight on payment (partner_id, installment_id)
  where outcome = 'pending';

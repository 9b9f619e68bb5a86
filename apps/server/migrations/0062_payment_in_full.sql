-- An installment is paid in full once.
-- oldest-service: 0.2.0
-- no-transaction
create unique index concurrently if not exists payment_in_full on payment (partner_id, installment_id)
  where outcome = 'succeeded' and not is_part;

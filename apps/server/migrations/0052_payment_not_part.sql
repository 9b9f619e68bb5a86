-- An installment has one payment that is in flight or paid it in full. Payments of a part do not count.
-- oldest-service: 0.2.0
-- no-transaction
create unique index concurrently if not exists payment_not_part on payment (partner_id, installment_id)
  where outcome in ('pending', 'succeeded') and not is_part;

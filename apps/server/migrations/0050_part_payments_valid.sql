-- Reads the installments once, and blocks neither reads nor writes.
-- oldest-service: 0.2.0
-- no-transaction
alter table installment validate constraint installment_part_paid_in_cents_check;

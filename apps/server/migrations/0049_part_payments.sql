-- A tenant may pay a part of an installment: amount_in_cents is what is still owed then. An installment
-- cannot have more paid and credited than was agreed.
-- oldest-service: 0.2.0
alter table installment
  add column part_paid_in_cents bigint not null default 0,
  add constraint installment_part_paid_in_cents_check
    check (part_paid_in_cents >= 0 and part_paid_in_cents + credited_in_cents <= agreed_in_cents) not valid;

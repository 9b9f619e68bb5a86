-- A tenant may pay a part of an installment. amount_in_cents is what is still owed then.
-- oldest-service: 0.2.0
alter table installment add column part_paid_in_cents bigint not null default 0;

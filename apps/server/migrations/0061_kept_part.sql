-- Cents that are paid although the installment is open, because only a part of its payment was taken back.
-- oldest-service: 0.2.0
alter table installment add column kept_in_cents bigint not null default 0,
  add constraint installment_kept_check check (kept_in_cents >= 0) not valid;

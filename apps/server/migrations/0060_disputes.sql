-- Disputes of charges, as the processor reports them: any number for a charge, each with its own amount
-- and state. The money that they move is in processor_event.
-- oldest-service: 0.2.0
-- contract: 0.2.0 writes one event of each kind for a payment and does not name the constraint that allows one

-- dispute_ref: the dispute that moved the money; null for a return that no dispute of the processor explains.
-- amount_in_cents: a chargeback can take back a part of a payment: these cents, or all of it if null.
-- Each dispute can take and give back money in parts, so a payment can have any number of events.
alter table processor_event
  add column amount_in_cents bigint,
  add column dispute_ref text,
  add constraint processor_event_amount_check check (amount_in_cents > 0) not valid,
  drop constraint processor_event_partner_id_payment_id_kind_key;

create table dispute (
  partner_id text not null,
  processor text not null,
  -- the processor's id
  ref text not null,
  tenant_id text not null,
  payment_id text not null,
  status text not null
    check (status in ('inquiry', 'needs_answer', 'under_review', 'won', 'lost', 'closed')),
  -- in dispute; what was taken and won can differ
  amount_in_cents bigint not null check (amount_in_cents >= 0),
  return_code text not null,
  -- until when the bank takes our answer, by the processor
  answer_by timestamptz,
  -- by the processor's clock; compared only with other reports of this dispute
  reported_at timestamptz not null,
  created_at timestamptz not null,
  primary key (partner_id, processor, ref),
  foreign key (partner_id, tenant_id) references tenant (partner_id, id),
  foreign key (partner_id, payment_id) references payment (partner_id, id)
);
create index dispute_tenant on dispute (partner_id, tenant_id);
create index dispute_payment on dispute (partner_id, payment_id);

-- Calls to the payment processor happen outside transactions, so each is a row that outlives a crash;
-- see docs/money.md.
-- oldest-service: 0.2.0

-- One charge or refund at the processor. Written before the call; the outcome follows in a later
-- transaction.
create table processor_call (
  partner_id text not null,
  -- the idempotency key; of a charge, the payment's id
  key text not null,
  tenant_id text not null,
  kind text not null check (kind in ('charge', 'refund')),
  processor text not null,
  -- the payment whose money moves: of a refund, the one that gives it back
  payment_id text not null,
  payment_method_id text not null,
  -- the payment, refund, dispute or reversal that the call belongs to
  source_id text not null,
  amount_in_cents bigint not null check (amount_in_cents > 0),
  occasion text check (occasion in ('first', 'tenant', 'scheduled', 'retry')),
  -- the installment's state before the charge, to which a failed attempt of the tenant returns
  part_state text,
  -- created: not sent yet. sent: may have been received. Both become one of the others.
  state text not null check (state in
    ('created', 'sent', 'processing', 'requires_action', 'unknown', 'succeeded', 'failed')),
  -- the processor's id
  ref text,
  return_code text,
  cancel_wanted boolean not null default false,
  -- wall time, when the call may first have left this service
  sent_at timestamptz,
  -- wall time, when a job looks at the call again; also the lease of who sends it
  check_at timestamptz,
  checks integer not null default 0,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (partner_id, key),
  foreign key (partner_id, tenant_id) references tenant (partner_id, id),
  check ((kind = 'charge') = (occasion is not null)),
  check ((state = 'failed') = (return_code is not null)),
  check (state not in ('created', 'sent', 'processing', 'requires_action', 'unknown')
    or check_at is not null)
);
create index processor_call_check on processor_call (check_at) where check_at is not null;
create unique index processor_call_ref on processor_call (processor, kind, ref) where ref is not null;
create index processor_call_payment on processor_call (partner_id, payment_id);
create index processor_call_open on processor_call (partner_id, tenant_id)
  where state not in ('succeeded', 'failed');
create index processor_call_refused on processor_call (created_at)
  where kind = 'refund' and state = 'failed';

-- Each event of a processor once, as received. The partner is known only when it is applied.
create table processor_inbox (
  processor text not null,
  event_id text not null,
  body jsonb not null,
  received_at timestamptz not null,
  -- wall time, when a job applies it; null when it is done with
  due_at timestamptz,
  tries integer not null default 0,
  -- why it had no effect
  ignored text,
  primary key (processor, event_id)
);
create index processor_inbox_due on processor_inbox (due_at) where due_at is not null;
create index processor_inbox_ignored on processor_inbox (received_at) where ignored is not null;
create index processor_inbox_received on processor_inbox (received_at) where due_at is null;

-- The simulator's books, which only the simulator reads.
create table simulator_call (
  partner_id text not null,
  key text not null,
  tenant_id text not null,
  kind text not null check (kind in ('charge', 'refund')),
  of_key text,
  account text,
  amount_in_cents bigint not null,
  state text not null check (state in ('processing', 'succeeded', 'failed')),
  return_code text,
  created_at timestamptz not null,
  primary key (partner_id, key),
  check ((state = 'failed') = (return_code is not null))
);

create table simulator_event (
  partner_id text not null,
  id text not null,
  tenant_id text not null,
  key text not null,
  kind text not null check (kind in ('outcome', 'returned', 'dispute_won')),
  return_code text,
  -- tenant time
  occurs_at timestamptz not null,
  sent_at timestamptz,
  primary key (partner_id, id),
  foreign key (partner_id, tenant_id) references tenant (partner_id, id)
);
create index simulator_event_tenant on simulator_event (partner_id, tenant_id) where sent_at is null;
create index simulator_event_waiting on simulator_event (occurs_at) where sent_at is null;

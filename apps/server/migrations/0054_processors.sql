-- Calls to the payment processor happen outside transactions, so each is a row that outlives a crash;
-- see docs/money.md. Accounts and cards are entered on a page of the processor; see docs/operate/stripe.md.
-- oldest-service: 0.2.0

-- mandate_ref: the id of the permission to debit at the processor. An event can revoke it.
-- method_ref: the id of the account or card at the processor. An event can change or remove it.
alter table payment_method add column mandate_ref text, add column method_ref text;

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

-- One visit to the page of the processor. The account or card becomes a payment_method when it is ready.
create table payment_setup (
  partner_id text not null,
  -- the idempotency key at the processor
  id text not null check (id like 'pse\_%'),
  tenant_id text not null,
  product_variant text not null,
  processor text not null,
  type text not null check (type in ('bank_account', 'card')),
  -- the id that the processor gave; null until the processor has answered
  ref text,
  -- open: on the page. pending: the bank account is being checked, such as by micro-deposits.
  state text not null check (state in ('open', 'pending', 'ready', 'failed')),
  reason text,
  payment_method_id text,
  -- wall time, when a job asks the processor for the state; also the lease of who asks
  check_at timestamptz,
  created_at timestamptz not null,
  primary key (partner_id, id),
  foreign key (partner_id, tenant_id) references tenant (partner_id, id),
  foreign key (partner_id, payment_method_id) references payment_method (partner_id, id),
  check ((state = 'failed') = (reason is not null)),
  check ((state = 'ready') = (payment_method_id is not null)),
  check (state not in ('ready', 'failed') or check_at is null)
);
create index payment_setup_tenant on payment_setup (partner_id, tenant_id, created_at desc);
create index payment_setup_check on payment_setup (check_at) where check_at is not null;
create index payment_setup_ref on payment_setup (processor, ref) where ref is not null;
-- Finds the visits that have ended, to delete them.
create index payment_setup_ended on payment_setup (created_at) where check_at is null;

-- How far the events of each processor have been read, besides its webhooks.
create table processor_sweep (
  processor text primary key,
  -- by our clock: all events until then are stored
  swept_until timestamptz not null,
  -- the next sweep; also the lease of who sweeps
  due_at timestamptz not null
);

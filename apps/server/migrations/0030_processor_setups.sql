-- Accounts and cards that are entered on a page of the payment processor, and the nightly sweep of its
-- events; see docs/operate/stripe.md.
-- oldest-service: 0.2.0

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

-- The id of the permission to debit at the processor. An event can revoke it.
alter table payment_method add column mandate_ref text;

-- How far the events of each processor have been read, besides its webhooks.
create table processor_sweep (
  processor text primary key,
  -- by our clock: all events until then are stored
  swept_until timestamptz not null,
  -- the next sweep; also the lease of who sweeps
  due_at timestamptz not null
);

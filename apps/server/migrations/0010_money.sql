-- Money that was missing: a first payment on its way, refunds, returned settlements, deposits.

alter table payment drop constraint payment_outcome_check,
  -- When a pending one is decided, tenant time.
  add column settles_at timestamptz,
  add constraint payment_outcome_check
    check (outcome in ('pending', 'succeeded', 'failed', 'canceled')),
  add constraint payment_pending_check check ((outcome = 'pending') <= (settles_at is not null));
drop index payment_once;
create unique index payment_once on payment (installment_id)
  where outcome in ('pending', 'succeeded');

alter table settlement drop constraint settlement_status_check,
  add constraint settlement_status_check
    check (status in ('unsettled', 'unverified', 'verified', 'failed', 'returned'));

alter table plan_history drop constraint plan_history_kind_check,
  add constraint plan_history_kind_check check (kind in ('accepted', 'paid', 'failed',
    'rescheduled', 'payment_method', 'autopay_enabled', 'autopay_disabled', 'past_due',
    'recovered', 'completed', 'canceled', 'charged_off', 'refunded', 'charge_changed'));

-- What the portal gave back of a settlement.
create table refund (
  id text primary key check (id like 'rfd\_%'),
  settlement_id text not null references settlement,
  charge_id text collate "C",
  amount_in_cents bigint not null check (amount_in_cents > 0),
  -- Off what the tenant still owed; the rest was paid back to the tenant's account.
  credited_in_cents bigint not null check (credited_in_cents >= 0),
  paid_back_in_cents bigint not null check (paid_back_in_cents >= 0),
  processor_transaction_id text,
  reason text,
  -- Tenant time.
  occurred_at timestamptz not null,
  created_at timestamptz not null,
  check (amount_in_cents = credited_in_cents + paid_back_in_cents)
);
create index refund_settlement on refund (settlement_id, id desc);

-- What the processor paid to our account in one go, and what our books expected.
create table deposit (
  id text primary key check (id like 'dep\_%'),
  partner_id text not null references partner,
  deposited_on date not null,
  processor_deposit_id text not null unique,
  expected_in_cents bigint not null,
  amount_in_cents bigint not null,
  created_at timestamptz not null
);
create index deposit_partner on deposit (partner_id, created_at);

-- Each movement through the processor: money from tenants, and back to them (negative).
create table processor_entry (
  -- The processor's.
  id text primary key,
  partner_id text not null references partner,
  tenant_id text not null references tenant,
  payment_method_id text not null references payment_method,
  -- The payment, refund or reversing transfer.
  source_id text not null unique,
  amount_in_cents bigint not null check (amount_in_cents <> 0),
  -- Tenant time.
  deposit_at timestamptz not null,
  created_at timestamptz not null,
  deposit_id text references deposit,
  deposited_in_cents bigint,
  check ((deposit_id is null) = (deposited_in_cents is null))
);
create index processor_entry_waiting on processor_entry (deposit_at) where deposit_id is null;
create index processor_entry_tenant on processor_entry (tenant_id) where deposit_id is null;
create index processor_entry_deposit on processor_entry (deposit_id) where deposit_id is not null;
insert into processor_entry (id, partner_id, tenant_id, payment_method_id, source_id,
    amount_in_cents, deposit_at, created_at)
  select 'tb_' || y.id, p.partner_id, p.tenant_id,
    coalesce(y.payment_method_id, p.payment_method_id), y.id, y.amount_in_cents, y.occurred_at,
    y.created_at
  from payment y join installment i on i.id = y.installment_id join plan p on p.id = i.plan_id
    join ledger_transfer l on l.kind = 'payment' and l.source_id = y.id
  where not exists (select from ledger_transfer r where r.reverses_id = l.id);

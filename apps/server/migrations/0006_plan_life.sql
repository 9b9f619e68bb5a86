-- The life of a plan: what falls due, what happened, and what the simulation holds ready.

alter table tenant add pending_payment_failures text[] not null default '{}';

alter table plan
  add autopay boolean not null default true,
  -- Its charges count as paid by us once it is over; a reset of the simulation lets go of them.
  add covers_charges boolean not null default true;

alter table installment
  add retries integer not null default 0 check (retries between 0 and 2),
  -- Tenant time.
  add next_attempt_at timestamptz,
  add paid_at timestamptz,
  -- The due date that the tenant was reminded of.
  add reminded_for date;

alter table payment
  add kind text not null default 'scheduled' check (kind in ('scheduled', 'retry', 'tenant')),
  add payment_method_id text references payment_method;

create table plan_history (
  id text primary key check (id like 'hst\_%'),
  plan_id text not null references plan,
  kind text not null check (kind in ('accepted', 'paid', 'failed', 'rescheduled', 'payment_method',
    'autopay_enabled', 'autopay_disabled', 'past_due', 'recovered', 'completed', 'canceled',
    'charged_off', 'refunded')),
  number integer,
  amount_in_cents bigint,
  from_date date,
  to_date date,
  return_code text,
  reason text,
  -- Tenant time.
  occurred_at timestamptz not null,
  created_at timestamptz not null
);
create index plan_history_plan on plan_history (plan_id, id desc);

-- The one small hot table that the tick reads: when each tenant's next thing falls due, wall time.
create table tenant_due (
  tenant_id text primary key references tenant,
  due_at timestamptz not null
);
create index tenant_due_at on tenant_due (due_at);
insert into tenant_due (tenant_id, due_at)
  select tenant_id, 'epoch' from plan where state in ('active', 'past_due');

alter table ledger_account drop constraint ledger_account_kind_check;
alter table ledger_account add check (kind in ('tenant_receivable', 'partner_payable',
  'fee_income', 'processor_clearing', 'settlement_clearing', 'cash', 'credit_loss'));

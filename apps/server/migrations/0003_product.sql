-- Applications, decisions, plans, settlements. Constraints repeat what the code asserts.

create table application (
  id text primary key check (id like 'app\_%'),
  partner_id text not null references partner,
  tenant_id text not null references tenant,
  product_variant text not null check (product_variant in ('rent', 'hoa')),
  rent_cycle_date date not null,
  state text not null check (state in ('started', 'submitted', 'in_review', 'approved', 'declined',
    'expired', 'withdrawn')),
  date_of_birth_sealed bytea not null,
  monthly_income_in_cents bigint not null check (monthly_income_in_cents >= 0),
  amount_in_cents bigint not null,
  approved_amount_in_cents bigint,
  expires_at timestamptz not null,
  reapply_after date,
  submitted_at timestamptz not null,
  decided_at timestamptz,
  version integer not null default 1,
  created_at timestamptz not null,
  check ((state = 'approved') <= (approved_amount_in_cents is not null)),
  check ((state = 'declined') <= (reapply_after is not null))
);
create unique index application_open on application (tenant_id)
  where state in ('started', 'submitted', 'in_review', 'approved');
create index application_tenant on application (tenant_id, created_at desc);
create index application_expiry on application (expires_at) where state in ('submitted', 'approved');

create table decision (
  id text primary key check (id like 'dec\_%'),
  application_id text not null references application,
  outcome text not null check (outcome in ('approved', 'declined')),
  reasons text[] not null,
  policy_version text not null,
  facts jsonb not null,
  simulated boolean not null,
  decided_at timestamptz not null,
  created_at timestamptz not null
);
create index decision_application on decision (application_id);

create table payment_method (
  id text primary key check (id like 'pmt\_%'),
  tenant_id text not null references tenant,
  type text not null check (type in ('bank_account')),
  label text not null,
  details_sealed bytea not null,
  created_at timestamptz not null
);
create index payment_method_tenant on payment_method (tenant_id, created_at desc);

create table plan (
  id text primary key check (id like 'pln\_%'),
  partner_id text not null references partner,
  tenant_id text not null references tenant,
  application_id text not null references application,
  payment_method_id text not null references payment_method,
  product_variant text not null check (product_variant in ('rent', 'hoa')),
  rent_cycle_date date not null,
  state text not null check (state in ('created', 'active', 'past_due', 'completed', 'canceled',
    'charged_off')),
  principal_in_cents bigint not null check (principal_in_cents > 0),
  fee_in_cents bigint not null check (fee_in_cents >= 0),
  apr_bps integer not null check (apr_bps >= 0),
  disclosure_text text not null,
  disclosure_sha256 bytea not null check (octet_length(disclosure_sha256) = 32),
  quote_id text not null,
  consent jsonb not null,
  accepted_at timestamptz not null,
  version integer not null default 1,
  created_at timestamptz not null
);
create unique index plan_open on plan (tenant_id) where state in ('created', 'active', 'past_due');
create index plan_tenant on plan (tenant_id, created_at desc);

create table plan_charge (
  plan_id text not null references plan,
  charge_id text collate "C" not null,
  amount_in_cents bigint not null,
  primary key (plan_id, charge_id)
);

create table installment (
  id text primary key check (id like 'ins\_%'),
  plan_id text not null references plan,
  number integer not null check (number between 1 and 12),
  due_date date not null,
  amount_in_cents bigint not null check (amount_in_cents > 0),
  state text not null check (state in ('scheduled', 'processing', 'paid', 'failed', 'overdue',
    'canceled')),
  version integer not null default 1,
  unique (plan_id, number)
);

create table payment (
  id text primary key check (id like 'pay\_%'),
  installment_id text not null references installment,
  attempt integer not null check (attempt >= 1),
  amount_in_cents bigint not null check (amount_in_cents > 0),
  outcome text not null check (outcome in ('succeeded', 'failed')),
  return_code text,
  occurred_at timestamptz not null,
  created_at timestamptz not null,
  unique (installment_id, attempt),
  check ((outcome = 'failed') = (return_code is not null))
);
create unique index payment_once on payment (installment_id) where outcome = 'succeeded';

create table settlement (
  id text primary key check (id like 'stl\_%'),
  partner_id text not null references partner,
  tenant_id text not null references tenant,
  plan_id text not null unique references plan,
  status text not null check (status in ('unsettled', 'unverified', 'verified', 'failed')),
  amount_in_cents bigint not null check (amount_in_cents > 0),
  rent_cycle_date date not null,
  debit_by date not null,
  processor_transaction_id text,
  failure_reason text,
  version integer not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index settlement_partner on settlement (partner_id, id desc);
create index settlement_status on settlement (partner_id, status, id desc);
create index settlement_tenant on settlement (tenant_id, id desc);

-- Payments that a bank takes back after they had come, what we win of it, and when a card ends.

alter table payment drop constraint payment_outcome_check, drop constraint payment_check,
  add constraint payment_outcome_check
    check (outcome in ('pending', 'succeeded', 'failed', 'canceled', 'returned')),
  add constraint payment_code_check
    check ((outcome in ('failed', 'returned')) = (return_code is not null));

-- What the processor tells of a payment that it had made. The sandbox's knows ahead.
create table processor_event (
  id text primary key check (id like 'pev\_%'),
  tenant_id text not null references tenant,
  payment_id text not null references payment,
  kind text not null check (kind in ('taken_back', 'won')),
  return_code text,
  -- Tenant time.
  occurs_at timestamptz not null,
  -- Wall time; null until the books have it.
  handled_at timestamptz,
  created_at timestamptz not null,
  unique (payment_id, kind),
  check ((kind = 'taken_back') = (return_code is not null))
);
create index processor_event_waiting on processor_event (occurs_at) where handled_at is null;
create index processor_event_tenant on processor_event (tenant_id) where handled_at is null;

-- One that was paid in full and is open again may stand beside the tenant's next plan.
alter table plan add column reopened boolean not null default false;
drop index plan_open;
create unique index plan_open on plan (tenant_id, (case when reopened then id else '' end))
  where state in ('created', 'active', 'past_due');

alter table plan_history drop constraint plan_history_kind_check,
  add constraint plan_history_kind_check check (kind in ('accepted', 'paid', 'failed',
    'rescheduled', 'payment_method', 'autopay_enabled', 'autopay_disabled', 'past_due',
    'recovered', 'completed', 'canceled', 'charged_off', 'refunded', 'credited',
    'charge_changed', 'taken_back'));

-- Null of bank accounts, and of cards that were added before.
alter table payment_method add column expires text check (expires ~ '^\d{4}-\d\d$'),
  add check (expires is null or type = 'card');

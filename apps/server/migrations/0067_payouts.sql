-- Payouts: what we owe a portal at a cut-off, paid at once; see docs/payouts.md and
-- apps/server/src/domain/payouts.
-- oldest-service: 0.2.0

-- A portal without a row debits each settlement separately.
create table payout_setting (
  partner_id text primary key references partner,
  -- debit: the portal debits us; credit: we send the money
  method text not null check (method in ('debit', 'credit')),
  -- the hour in New York, on banking days
  cut_off_hour integer not null check (cut_off_hour between 0 and 23),
  -- what the operator calls the portal's account at our bank; never its number
  destination text not null,
  -- the next cut-off
  next_at timestamptz not null,
  updated_at timestamptz not null
);
create index payout_setting_next on payout_setting (next_at);

create table payout (
  partner_id text not null references partner,
  id text not null check (id like 'pyt\_%'),
  method text not null check (method in ('debit', 'credit')),
  status text not null check (status in ('pending', 'sent', 'paid', 'failed', 'returned')),
  day date not null,
  amount_in_cents bigint not null check (amount_in_cents > 0),
  line_count integer not null check (line_count > 0),
  destination text not null,
  reference text,
  failure_reason text,
  -- the rail that sends it; null: the portal debits us, or an operator sends it
  rail text,
  -- When a rail was first asked to send it. From then on, its outcome is looked up first.
  attempted_at timestamptz,
  -- when the rail is to be asked, or until when a process may be asking it
  check_at timestamptz,
  sent_at timestamptz,
  paid_at timestamptz,
  ended_at timestamptz,
  version integer not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (partner_id, id),
  check ((status in ('failed', 'returned')) = (failure_reason is not null)),
  check (check_at is null or rail is not null)
);
create index payout_status on payout (partner_id, status, id desc);
create index payout_check on payout (check_at) where check_at is not null;

create table payout_line (
  partner_id text not null,
  payout_id text not null,
  -- its place in the statement, from 1
  number integer not null check (number > 0),
  kind text not null check (kind in ('settlement', 'refund', 'adjustment')),
  -- the id of the settlement, the refund or the adjustment
  source_id text not null,
  amount_in_cents bigint not null check (amount_in_cents <> 0),
  -- the payout that failed or was returned with this line
  carried_from text,
  -- the payout failed or was returned, so another one may have the line
  released boolean not null default false,
  primary key (partner_id, payout_id, number),
  foreign key (partner_id, payout_id) references payout
);
-- Nothing is paid twice: whatever interleaves, a source is in one payout that has not failed.
create unique index payout_line_once on payout_line (partner_id, source_id) where not released;
create index payout_line_source on payout_line (partner_id, source_id, payout_id desc);

-- A correction of what we owe a portal, by an operator.
create table payout_adjustment (
  partner_id text not null references partner,
  id text not null check (id like 'pad\_%'),
  -- positive if we owe it
  amount_in_cents bigint not null check (amount_in_cents <> 0),
  reason text not null,
  created_by text not null,
  created_at timestamptz not null,
  primary key (partner_id, id)
);

-- A payout is created with all of its lines, and they sum to its amount.
create function payout_check_lines() returns trigger language plpgsql as $$
declare
  lines record;
begin
  select count(*) as count, coalesce(sum(amount_in_cents), 0) as amount into lines
  from payout_line where partner_id = new.partner_id and payout_id = new.id;
  if lines.count <> new.line_count or lines.amount <> new.amount_in_cents then
    raise exception 'payout % of % cents in % lines has % lines of % cents', new.id,
      new.amount_in_cents, new.line_count, lines.count, lines.amount;
  end if;
  return null;
end $$;
create constraint trigger payout_lines_sum after insert on payout
  deferrable initially deferred for each row execute function payout_check_lines();

create function payout_refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% cannot be changed', tg_table_name;
end $$;
create trigger payout_no_edit before update of partner_id, id, method, day, amount_in_cents,
    line_count on payout
  for each row execute function payout_refuse_change();
create trigger payout_line_no_edit before update of partner_id, payout_id, number, kind, source_id,
    amount_in_cents, carried_from on payout_line
  for each row execute function payout_refuse_change();
create trigger payout_adjustment_no_edit before update or delete on payout_adjustment
  for each row execute function payout_refuse_change();

-- payout_id: the payout that pays a settlement, or that paid it last. Null: the portal debits it separately.
alter table settlement add column payout_id text;

-- A settlement is not debited in addition to its payout, not even
-- by a service before 0.3.0, which knows no payouts.
create function settlement_check_payout() returns trigger language plpgsql as $$
begin
  if new.payout_id is not null then
    if not exists (select from payout p where p.partner_id = new.partner_id and p.id = new.payout_id
        and p.status = case new.status when 'unverified' then 'sent' else 'paid' end) then
      raise exception 'settlement % is paid by %, which is not %', new.id, new.payout_id, new.status;
    end if;
  elsif old.status = 'unsettled'
    and exists (select from payout_setting s where s.partner_id = new.partner_id) then
    raise exception 'settlement % is paid by the next payout', new.id;
  end if;
  return new;
end $$;
create trigger settlement_follows_payout before update of status on settlement
  for each row when (old.status is distinct from new.status and new.status in ('unverified', 'verified'))
  execute function settlement_check_payout();

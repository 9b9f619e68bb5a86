-- The sealed transfers of each partner, summed by day of the books and kind of account, so that a trial balance
-- does not read the whole ledger; see apps/server/src/domain/ledger/day-totals.ts.
-- oldest-service: 0.2.0
-- on a cluster: ledger_day_total by partner
-- on a cluster: ledger_counted by partner
create table ledger_day_total (
  partner_id text not null references partner (id),
  day date not null,
  kind text not null,
  total_in_cents bigint not null,
  primary key (partner_id, day, kind)
);

-- A partner without a row has not been counted. One whose seals go further was sealed by a service of an
-- earlier version. Closing a day counts both again.
create table ledger_counted (
  partner_id text primary key references partner (id),
  -- The last seal whose transfers are in the totals, 0 before the first one.
  seal_number bigint not null check (seal_number >= 0)
);

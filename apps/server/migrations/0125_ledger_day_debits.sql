-- What of a total was debited, and which transfers it sums, so that the report of fees and the postings of old days do
-- not read the whole ledger.
-- oldest-service: 0.2.0
alter table ledger_day_total
  add column debit_in_cents bigint not null default 0,
  -- The least and the greatest id of these transfers.
  add column first_transfer_id text,
  add column last_transfer_id text;

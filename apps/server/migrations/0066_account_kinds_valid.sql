-- Reads the accounts once, and blocks neither reads nor writes.
-- oldest-service: 0.2.0
-- no-transaction
alter table ledger_account validate constraint ledger_account_kind_check;

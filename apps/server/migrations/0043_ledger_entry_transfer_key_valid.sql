-- Reads the entries once, and blocks neither reads nor writes.
-- oldest-service: 0.2.0
-- no-transaction
alter table ledger_entry validate constraint ledger_entry_transfer_fkey;

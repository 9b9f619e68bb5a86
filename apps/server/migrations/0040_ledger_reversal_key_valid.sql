-- Reads the transfers once, and blocks neither reads nor writes.
-- oldest-service: 0.2.0
-- no-transaction
alter table ledger_transfer_first validate constraint ledger_transfer_reverses_fkey;

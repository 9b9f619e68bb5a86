-- oldest-service: 0.1.0
-- no-transaction
alter table ledger_transfer_first validate constraint ledger_transfer_reverses_fkey;

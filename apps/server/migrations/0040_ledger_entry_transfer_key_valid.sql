-- oldest-service: 0.1.0
-- no-transaction
alter table ledger_entry validate constraint ledger_entry_transfer_fkey;

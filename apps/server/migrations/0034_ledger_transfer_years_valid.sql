-- oldest-service: 0.1.0
-- no-transaction
alter table ledger_transfer validate constraint ledger_transfer_years;

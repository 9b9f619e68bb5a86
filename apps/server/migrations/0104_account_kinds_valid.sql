-- Validates the check of 0103 on the accounts, which reads the table and blocks nothing.
-- oldest-service: 0.2.0
-- no-transaction
alter table ledger_account validate constraint ledger_account_kind_check;

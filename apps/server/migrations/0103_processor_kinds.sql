-- A processor may have an account of its own in the ledger, whose kind ends with _clearing. What a bank's file
-- has changed is in the audit log as such.
-- oldest-service: 0.2.0
-- contract: replaces two checks by ones that allow more
alter table ledger_account
  drop constraint ledger_account_kind_check,
  add constraint ledger_account_kind_check check (kind in ('tenant_receivable', 'partner_payable',
    'fee_income', 'cash', 'credit_loss', 'processing_cost', 'books_difference')
    or kind like '%\_clearing') not valid;
alter table audit_entry
  drop constraint audit_entry_via_check,
  add constraint audit_entry_via_check check (via in ('key', 'portal', 'cli', 'bank')) not valid;

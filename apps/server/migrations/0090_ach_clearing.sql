-- ACH entries move our bank account on their settlement day, before we know whether they come back. The
-- ledger books that when it happens; see docs/operate/ach.md and src/ach/book-cash.ts.
-- oldest-service: 0.2.0
-- contract: replaces the check of account kinds by one with one more, which only ACH files post to
alter table ledger_account
  drop constraint ledger_account_kind_check,
  add constraint ledger_account_kind_check check (kind in ('tenant_receivable', 'partner_payable',
    'fee_income', 'processor_clearing', 'ach_clearing', 'settlement_clearing', 'cash', 'credit_loss',
    'processing_cost', 'books_difference')) not valid;

-- When the ledger booked that the entry moved our bank account. A return is booked with the file that
-- reports it.
alter table ach_entry add column booked_at timestamptz;
create index ach_entry_unbooked on ach_entry (effective_on)
  where booked_at is null and file_id is not null and kind <> 'prenote';

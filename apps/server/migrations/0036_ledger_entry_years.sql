-- The entries end with the same id as the transfers.
-- oldest-service: 0.2.0
do $$
begin
  execute format(
    'alter table ledger_entry add constraint ledger_entry_years check (transfer_id < %L) not valid',
    (select substring(pg_get_constraintdef(oid) from 'trf_[0-9a-z]{10}') from pg_constraint
      where conrelid = 'ledger_transfer'::regclass and conname = 'ledger_transfer_years'));
end $$;

-- The entries, like the transfers before. Their validated foreign keys become those of the partitioned
-- table.
-- oldest-service: 0.2.0
-- contract: the table gets another name and its place is taken at once, by one with the same columns
alter table ledger_entry rename to ledger_entry_first;
alter table ledger_entry_first rename constraint ledger_entry_pkey to ledger_entry_first_pkey;
alter index ledger_entry_account rename to ledger_entry_first_account;
alter table ledger_entry_first drop constraint ledger_entry_partner_id_transfer_id_fkey;
drop trigger ledger_entry_append_only on ledger_entry_first;
drop trigger ledger_entry_balanced on ledger_entry_first;

create table ledger_entry (
  like ledger_entry_first including defaults,
  constraint ledger_entry_amount_in_cents_check1 check (amount_in_cents <> 0),
  primary key (partner_id, transfer_id, account_id),
  constraint ledger_entry_transfer_fkey
    foreign key (partner_id, transfer_id) references ledger_transfer (partner_id, id),
  constraint ledger_entry_partner_id_account_id_fkey
    foreign key (partner_id, account_id) references ledger_account (partner_id, id)
) partition by range (transfer_id);
create index ledger_entry_account on ledger_entry (partner_id, account_id);
do $$
begin
  execute format(
    'alter table ledger_entry attach partition ledger_entry_first for values from (minvalue) to (%L)',
    (select substring(pg_get_constraintdef(oid) from 'trf_[0-9a-z]{10}') from pg_constraint
      where conrelid = 'ledger_entry_first'::regclass and conname = 'ledger_entry_years'));
end $$;
alter table ledger_entry_first drop constraint ledger_entry_years;
create table ledger_entry_default partition of ledger_entry default;

create trigger ledger_entry_append_only before update or delete on ledger_entry
  for each row execute function ledger_refuse_change();
create trigger ledger_entry_balanced after insert on ledger_entry
  referencing new table as added for each statement execute function ledger_check_added();

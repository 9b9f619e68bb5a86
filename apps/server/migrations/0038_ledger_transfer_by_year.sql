-- Renames the table and puts a partitioned one in its place. No row is read. The old foreign keys stay
-- on the first partition until new ones are validated: all transfers of this year and most of the next
-- belong there. The default partition takes what no other does, so a missing partition stops no money.
-- oldest-service: 0.2.0
-- contract: the table gets another name and its place is taken at once, by one with the same columns
alter table ledger_transfer rename to ledger_transfer_first;
alter table ledger_transfer_first rename constraint ledger_transfer_pkey to ledger_transfer_first_pkey;
-- The partitioned table's triggers take their place.
drop trigger ledger_transfer_added on ledger_transfer_first;
drop trigger ledger_transfer_append_only on ledger_transfer_first;
drop trigger ledger_transfer_balanced on ledger_transfer_first;

create table ledger_transfer (
  like ledger_transfer_first including defaults,
  constraint ledger_transfer_id_check check (id like 'trf\_%'),
  constraint ledger_transfer_reversal_check
    check (reverses_id is not distinct from case when kind = 'reversal' then source_id end),
  primary key (partner_id, id)
) partition by range (id);
do $$
begin
  execute format(
    'alter table ledger_transfer attach partition ledger_transfer_first for values from (minvalue) to (%L)',
    (select substring(pg_get_constraintdef(oid) from 'trf_[0-9a-z]{10}') from pg_constraint
      where conrelid = 'ledger_transfer_first'::regclass and conname = 'ledger_transfer_years'));
end $$;
create table ledger_transfer_default partition of ledger_transfer default;

create trigger ledger_transfer_added after insert on ledger_transfer
  referencing new table as added for each statement execute function ledger_note_added();
create trigger ledger_transfer_append_only before update or delete on ledger_transfer
  for each row execute function ledger_refuse_change();
create constraint trigger ledger_transfer_balanced after insert on ledger_transfer
  deferrable initially deferred for each row execute function ledger_check_balance();

-- A reversal names a transfer of any year.
alter table ledger_transfer_first add constraint ledger_transfer_reverses_fkey
  foreign key (partner_id, reverses_id) references ledger_transfer (partner_id, id) not valid;

-- Checks that every command paid for and that said nothing new. Nothing here reads or writes a row,
-- so that it is quick on a database in use.

-- Whoever these name beside the partner is the partner's already, and partners are never deleted:
-- but each check wrote a lock into the one row that all of a partner's tenants share.
alter table application drop constraint application_partner_id_fkey;
alter table plan drop constraint plan_partner_id_fkey;
alter table settlement drop constraint settlement_partner_id_fkey;
alter table processor_entry drop constraint processor_entry_partner_id_fkey;
alter table ledger_transfer drop constraint ledger_transfer_partner_id_fkey;
-- Written by a trigger of the transfer alone, which nobody can delete.
alter table ledger_unsealed drop constraint ledger_unsealed_transfer_id_fkey;

-- Triggers that ran for each row run once for a statement, however many rows a batch writes. Entries
-- are added up as they are written, and a new transfer once more at commit, when it must have some.
drop trigger ledger_entry_balanced on ledger_entry;
create function ledger_check_added() returns trigger language plpgsql as $$
declare
  lopsided text;
begin
  select transfer_id into lopsided from added
    where (select sum(e.amount_in_cents) from ledger_entry e
      where e.transfer_id = added.transfer_id) <> 0 limit 1;
  if found then
    raise exception 'transfer % does not balance', lopsided;
  end if;
  return null;
end $$;
create trigger ledger_entry_balanced after insert on ledger_entry
  referencing new table as added for each statement execute function ledger_check_added();

create or replace function ledger_check_balance() returns trigger language plpgsql as $$
declare
  total bigint;
  lines integer;
begin
  select coalesce(sum(amount_in_cents), 0), count(*) into total, lines
    from ledger_entry where transfer_id = new.id;
  if total <> 0 or lines < 2 then
    raise exception 'transfer % does not balance: % cents over % entries', new.id, total, lines;
  end if;
  return null;
end $$;

drop trigger ledger_transfer_unsealed on ledger_transfer;
create or replace function ledger_note_unsealed() returns trigger language plpgsql as $$
begin
  insert into ledger_unsealed (transfer_id) select id from added;
  return null;
end $$;
create trigger ledger_transfer_unsealed after insert on ledger_transfer
  referencing new table as added for each statement execute function ledger_note_unsealed();

-- Tamper evidence: transfers are sealed in batches, each with the hash of the one before.

create table ledger_unsealed (
  transfer_id text primary key references ledger_transfer
);
insert into ledger_unsealed (transfer_id) select id from ledger_transfer;

create function ledger_note_unsealed() returns trigger language plpgsql as $$
begin
  insert into ledger_unsealed (transfer_id) values (new.id);
  return null;
end $$;
create trigger ledger_transfer_unsealed after insert on ledger_transfer
  for each row execute function ledger_note_unsealed();

create table ledger_seal (
  number bigint primary key check (number >= 1),
  transfer_ids text[] not null check (cardinality(transfer_ids) >= 1),
  previous_sha256 bytea not null check (octet_length(previous_sha256) = 32),
  sha256 bytea not null unique check (octet_length(sha256) = 32),
  sealed_at timestamptz not null
);
create trigger ledger_seal_append_only before update or delete on ledger_seal
  for each row execute function ledger_refuse_change();

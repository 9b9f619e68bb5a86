-- Append-only double entry. A transfer's entries sum to zero at commit, or nothing commits.

create table ledger_account (
  id text primary key check (id like 'acc\_%'),
  partner_id text not null references partner,
  tenant_id text references tenant,
  kind text not null check (kind in ('tenant_receivable', 'partner_payable', 'fee_income',
    'processor_clearing')),
  unique nulls not distinct (partner_id, tenant_id, kind)
);

create table ledger_transfer (
  id text primary key check (id like 'trf\_%'),
  partner_id text not null references partner,
  kind text not null,
  source_id text not null,
  reverses_id text unique references ledger_transfer,
  occurred_at timestamptz not null,
  created_at timestamptz not null,
  unique (kind, source_id)
);
create index ledger_transfer_source on ledger_transfer (source_id);

create table ledger_entry (
  transfer_id text not null references ledger_transfer,
  account_id text not null references ledger_account,
  amount_in_cents bigint not null check (amount_in_cents <> 0),
  primary key (transfer_id, account_id)
);
create index ledger_entry_account on ledger_entry (account_id);

create function ledger_refuse_change() returns trigger language plpgsql as $$
begin
  raise exception 'the ledger is append-only: post a reversing transfer instead';
end $$;
create trigger ledger_transfer_append_only before update or delete on ledger_transfer
  for each row execute function ledger_refuse_change();
create trigger ledger_entry_append_only before update or delete on ledger_entry
  for each row execute function ledger_refuse_change();

create function ledger_check_balance() returns trigger language plpgsql as $$
declare
  transfer text;
  total bigint;
  lines integer;
begin
  -- A case expression would not do: plpgsql resolves every branch's field on each row type.
  if tg_table_name = 'ledger_entry' then
    transfer := new.transfer_id;
  else
    transfer := new.id;
  end if;
  select coalesce(sum(amount_in_cents), 0), count(*) into total, lines
    from ledger_entry where transfer_id = transfer;
  if total <> 0 or lines < 2 then
    raise exception 'transfer % does not balance: % cents over % entries', transfer, total, lines;
  end if;
  return null;
end $$;
create constraint trigger ledger_entry_balanced after insert on ledger_entry
  deferrable initially deferred for each row execute function ledger_check_balance();
create constraint trigger ledger_transfer_balanced after insert on ledger_transfer
  deferrable initially deferred for each row execute function ledger_check_balance();

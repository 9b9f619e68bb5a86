-- The partner in the key of every money table, as 0022 did for the others. Every unique index starts
-- with partner_id, and every foreign key contains it, so that an entry cannot name another partner's
-- account. Rewrites ledger_entry: stop the service.
-- oldest-service: 0.2.0
-- contract: services before 0.2.0 do not write the partner into every row

-- Foreign keys between money tables depend on the keys that are replaced.
alter table ledger_transfer drop constraint ledger_transfer_reverses_id_fkey;
alter table processor_entry drop constraint processor_entry_deposit_id_fkey;
alter table refund drop constraint refund_settlement_id_fkey;

-- Settlements and refunds.
alter table settlement
  drop constraint settlement_pkey,
  drop constraint settlement_plan_id_key,
  add primary key (partner_id, id),
  add unique (partner_id, plan_id),
  add foreign key (partner_id, tenant_id) references tenant (partner_id, id),
  add foreign key (partner_id, plan_id) references plan (partner_id, id);
-- The primary key read backwards.
drop index settlement_partner;
drop index settlement_tenant;
create index settlement_tenant on settlement (partner_id, tenant_id, id desc);

alter table refund add column partner_id text;
update refund r set partner_id = s.partner_id from settlement s where s.id = r.settlement_id;
alter table refund
  alter column partner_id set not null,
  drop constraint refund_pkey,
  add primary key (partner_id, id),
  add foreign key (partner_id, settlement_id) references settlement (partner_id, id);
drop index refund_settlement;
create index refund_settlement on refund (partner_id, settlement_id, id desc);

-- The processor's side. These tables stay in one piece, so their keys against duplicates stay on them:
-- a partner has one deposit a day, a payment has one entry, and only a disputed payment has an event.
-- What is still waiting has a partial index, so finished rows slow nothing down.
alter table deposit
  drop constraint deposit_pkey,
  drop constraint deposit_processor_deposit_id_key,
  add primary key (partner_id, id),
  add unique (partner_id, processor_deposit_id);

alter table processor_entry
  drop constraint processor_entry_pkey,
  drop constraint processor_entry_source_id_key,
  add primary key (partner_id, id),
  add unique (partner_id, source_id),
  add foreign key (partner_id, tenant_id) references tenant (partner_id, id),
  add foreign key (partner_id, payment_method_id) references payment_method (partner_id, id),
  add foreign key (partner_id, deposit_id) references deposit (partner_id, id);
drop index processor_entry_tenant;
create index processor_entry_tenant on processor_entry (partner_id, tenant_id)
  where deposit_id is null;
drop index processor_entry_deposit;
create index processor_entry_deposit on processor_entry (partner_id, deposit_id)
  where deposit_id is not null;

alter table processor_event add column partner_id text;
update processor_event e set partner_id = t.partner_id from tenant t where t.id = e.tenant_id;
alter table processor_event
  alter column partner_id set not null,
  drop constraint processor_event_pkey,
  drop constraint processor_event_payment_id_kind_key,
  add primary key (partner_id, id),
  add unique (partner_id, payment_id, kind),
  add foreign key (partner_id, tenant_id) references tenant (partner_id, id),
  add foreign key (partner_id, payment_id) references payment (partner_id, id);
drop index processor_event_tenant;
create index processor_event_tenant on processor_event (partner_id, tenant_id)
  where handled_at is null;

-- The ledger. Its transfers and entries will be partitioned by year: a transfer's id begins with its
-- creation time (ids.ts), so a year is a range of ids, and the keys below contain the id:
--
--   ledger_transfer  partition by range (id)           primary key (partner_id, id)
--   ledger_entry     partition by range (transfer_id)  primary key (partner_id, transfer_id, account_id)
--
-- Today's tables can then be attached as the first partitions without a rewrite (tried: posting twice,
-- reversing, sealing and `ledger verify` work across partitions without a change). A unique index of a
-- partitioned table must contain the partition key, so uniqueness of (kind, source_id) cannot stay on
-- ledger_transfer: it moves to ledger_transfer_source, which stays in one piece.
alter table ledger_entry rename to ledger_entry_before;
create table ledger_entry (
  partner_id text not null,
  transfer_id text not null,
  account_id text not null,
  amount_in_cents bigint not null check (amount_in_cents <> 0)
);
insert into ledger_entry (partner_id, transfer_id, account_id, amount_in_cents)
  select l.partner_id, e.transfer_id, e.account_id, e.amount_in_cents
  from ledger_entry_before e join ledger_transfer l on l.id = e.transfer_id
  order by e.transfer_id, e.account_id;
drop table ledger_entry_before;

alter table ledger_account
  drop constraint ledger_account_pkey,
  add primary key (partner_id, id),
  add foreign key (partner_id, tenant_id) references tenant (partner_id, id);

alter table ledger_transfer
  drop constraint ledger_transfer_pkey,
  drop constraint ledger_transfer_kind_source_id_key,
  drop constraint ledger_transfer_reverses_id_key,
  add primary key (partner_id, id),
  add foreign key (partner_id, reverses_id) references ledger_transfer (partner_id, id),
  -- So the key of ledger_transfer_source also allows one reversal for each transfer.
  add constraint ledger_transfer_reversal_check
    check (reverses_id is not distinct from case when kind = 'reversal' then source_id end);
drop index ledger_transfer_source;

alter table ledger_entry
  add primary key (partner_id, transfer_id, account_id),
  add foreign key (partner_id, transfer_id) references ledger_transfer (partner_id, id),
  add foreign key (partner_id, account_id) references ledger_account (partner_id, id);
create index ledger_entry_account on ledger_entry (partner_id, account_id);

-- One row for each transfer: what caused it. Posting the same cause twice fails on its primary key.
-- Without a foreign key, because only the trigger below writes it; `ledger verify` compares both.
create table ledger_transfer_source (
  partner_id text not null,
  source_id text not null,
  kind text not null,
  transfer_id text not null
);
insert into ledger_transfer_source (partner_id, source_id, kind, transfer_id)
  select partner_id, source_id, kind, id from ledger_transfer order by id;
alter table ledger_transfer_source add primary key (partner_id, source_id, kind);

alter table ledger_unsealed add column partner_id text;
update ledger_unsealed u set partner_id = l.partner_id
  from ledger_transfer l where l.id = u.transfer_id;
alter table ledger_unsealed
  alter column partner_id set not null,
  drop constraint ledger_unsealed_pkey,
  add primary key (partner_id, transfer_id);

-- Seals. Until now one chain ran through the transfers of all partners. It ends here, unchanged:
-- `ledger verify` still checks it. Each partner's own chain starts from the hash of its last seal, so
-- nobody can shorten it unnoticed.
alter table ledger_seal rename to ledger_seal_before;
create table ledger_seal_before_partners (
  number bigint not null check (number >= 1),
  -- Parallel lists. The hash covers the partner of each transfer; this list only finds the rows.
  partner_ids text[] not null check (cardinality(partner_ids) = cardinality(transfer_ids)),
  transfer_ids text[] not null check (cardinality(transfer_ids) >= 1),
  previous_sha256 bytea not null check (octet_length(previous_sha256) = 32),
  sha256 bytea not null check (octet_length(sha256) = 32),
  sealed_at timestamptz not null
);
insert into ledger_seal_before_partners
    (number, partner_ids, transfer_ids, previous_sha256, sha256, sealed_at)
  select s.number, p.partner_ids, s.transfer_ids, s.previous_sha256, s.sha256, s.sealed_at
  from ledger_seal_before s join (
    select b.number, array_agg(coalesce(l.partner_id, '') order by t.place) as partner_ids
    from ledger_seal_before b cross join unnest(b.transfer_ids) with ordinality as t(id, place)
      left join ledger_transfer l on l.id = t.id
    group by b.number) p on p.number = s.number
  order by s.number;
drop table ledger_seal_before;
alter table ledger_seal_before_partners add primary key (number);

create table ledger_seal (
  partner_id text not null references partner,
  -- Counts the partner's seals from 1. The primary key is what makes a fork impossible.
  number bigint not null check (number >= 1),
  transfer_ids text[] not null check (cardinality(transfer_ids) >= 1),
  previous_sha256 bytea not null check (octet_length(previous_sha256) = 32),
  sha256 bytea not null check (octet_length(sha256) = 32),
  sealed_at timestamptz not null,
  primary key (partner_id, number)
);

-- The triggers of the tables that were rewritten or are new, and those that looked up rows by id.
create trigger ledger_entry_append_only before update or delete on ledger_entry
  for each row execute function ledger_refuse_change();
create trigger ledger_transfer_source_append_only before update or delete on ledger_transfer_source
  for each row execute function ledger_refuse_change();
create trigger ledger_seal_append_only before update or delete on ledger_seal
  for each row execute function ledger_refuse_change();
create trigger ledger_seal_before_partners_append_only
  before insert or update or delete on ledger_seal_before_partners
  for each row execute function ledger_refuse_change();

create or replace function ledger_check_added() returns trigger language plpgsql as $$
declare
  unbalanced text;
begin
  select a.transfer_id into unbalanced
    from (select distinct partner_id, transfer_id from added) a
    where (select sum(e.amount_in_cents) from ledger_entry e
      where e.partner_id = a.partner_id and e.transfer_id = a.transfer_id) <> 0 limit 1;
  if found then
    raise exception 'transfer % does not balance', unbalanced;
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
    from ledger_entry where partner_id = new.partner_id and transfer_id = new.id;
  if total <> 0 or lines < 2 then
    raise exception 'transfer % does not balance: % cents over % entries', new.id, total, lines;
  end if;
  return null;
end $$;

-- Each posting also notes the cause of its transfers, and that they wait for a seal. In a trigger, so
-- that no statement can post a transfer without its key against duplicates.
drop trigger ledger_transfer_unsealed on ledger_transfer;
drop function ledger_note_unsealed();
create function ledger_note_added() returns trigger language plpgsql as $$
begin
  insert into ledger_transfer_source (partner_id, source_id, kind, transfer_id)
    select partner_id, source_id, kind, id from added;
  insert into ledger_unsealed (partner_id, transfer_id) select partner_id, id from added;
  return null;
end $$;
create trigger ledger_transfer_added after insert on ledger_transfer
  referencing new table as added for each statement execute function ledger_note_added();

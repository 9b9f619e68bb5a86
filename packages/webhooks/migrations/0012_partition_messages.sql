-- Replaces webhook_messages by a partitioned table of that name, and attaches the old table as its
-- first partition. Takes milliseconds once it has the lock of the table.
--
-- Messages of a month without a partition go to the default partition, so an insert never fails for
-- lack of one, whichever version of the service makes it. Upkeep creates the others in advance.
-- oldest-service: 0.2.0
-- contract: the table under the old name is another one. Every statement of 0.2.0 runs on it: the
-- columns, their order and the unique keys are the same.
alter table webhook_messages rename to webhook_messages_first;
alter table webhook_messages_first
  rename constraint webhook_messages_pkey to webhook_messages_first_pkey;
alter index webhook_messages_by_subject rename to webhook_messages_first_by_subject;
alter index webhook_messages_by_type rename to webhook_messages_first_by_type;
alter index webhook_messages_expunged rename to webhook_messages_first_expunged;
alter index webhook_messages_feed rename to webhook_messages_first_feed;

-- A plain sequence instead of an identity column, which partitions cannot have before PostgreSQL 17.
create sequence webhook_messages_number;
select setval('webhook_messages_number', last_value, is_called) from webhook_messages_sequence_seq;
alter table webhook_messages_first alter column sequence drop identity;
alter sequence webhook_messages_number rename to webhook_messages_sequence_seq;

create table webhook_messages (
  id text collate "C" not null
    constraint webhook_messages_id_check check (starts_with(id, 'evt_') and length(id) = 30),
  -- order of insertion inside one transaction
  sequence bigint not null default nextval('webhook_messages_sequence_seq'),
  -- the transaction that inserted it: the feed shows a message once no older one is still open
  inserted_by xid8 not null default pg_current_xact_id(),
  owner text collate "C" not null constraint webhook_messages_owner_check check (owner <> ''),
  subject text collate "C",
  type text collate "C" not null constraint webhook_messages_type_check check (type <> ''),
  body text not null,
  custom boolean not null default false,
  operational boolean not null default false,
  test boolean not null default false,
  created_at timestamptz not null,
  -- since then the body is empty, for good
  expunged_at timestamptz,
  -- sent only to endpoints that name one of them, or none; null: to every endpoint without channels
  channels text[]
    constraint webhook_messages_channels_check check (cardinality(channels) between 1 and 10),
  primary key (owner, id) include (test)
) partition by range (id);

alter sequence webhook_messages_sequence_seq owned by webhook_messages.sequence;

create index webhook_messages_by_subject on webhook_messages (owner, subject, id)
  where subject is not null and not test;
create index webhook_messages_by_type on webhook_messages (owner, type, id) where not test;
create index webhook_messages_expunged on webhook_messages (expunged_at)
  where expunged_at is not null;
create index webhook_messages_feed on webhook_messages (owner, inserted_by, sequence)
  where not test and expunged_at is null;

do $$
begin
  execute (
    select format(
      'alter table webhook_messages attach partition webhook_messages_first for values from (minvalue) to (%L)',
      substring(pg_get_constraintdef(oid) from 'evt_[0-9a-z]{26}'))
    from pg_constraint
    where conrelid = 'webhook_messages_first'::regclass and conname = 'webhook_messages_bound');
end
$$;
alter table webhook_messages_first drop constraint webhook_messages_bound;

create table webhook_messages_default partition of webhook_messages default;

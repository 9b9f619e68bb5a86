-- ACH files, which a sponsor bank takes and sends; see docs/operate/ach.md and
-- apps/server/src/processors/ach.
-- oldest-service: 0.2.0

-- A file that we sent to the bank or got from it.
create table ach_file (
  id text primary key check (id like 'ach\_%'),
  direction text not null check (direction in ('out', 'in')),
  name text not null,
  -- out: assembled (its entries are chosen), staged (its content is final), sent (it was in the outbox),
  --   acknowledged or refused by the bank.
  -- in: read, rejected (nothing of it was applied), dismissed (an operator dealt with a rejected one).
  state text not null check (state in ('assembled', 'staged', 'sent', 'acknowledged', 'refused',
    'read', 'rejected', 'dismissed')),
  -- out: the file's date in Eastern time, and the letter that tells the files of that date apart
  created_on date,
  modifier text,
  -- out: the name in the folder "staging" of the one content that may be sent
  staged_as text,
  entries integer not null,
  -- in: of the bytes
  sha256 bytea check (octet_length(sha256) = 32),
  -- in: why it was rejected, with the line
  reason text,
  created_at timestamptz not null,
  changed_at timestamptz not null,
  unique (created_on, modifier),
  check ((direction = 'out') = (state in ('assembled', 'staged', 'sent', 'acknowledged', 'refused'))),
  check ((direction = 'out') = (created_on is not null and modifier is not null)),
  check ((direction = 'in') = (sha256 is not null)),
  check (state <> 'rejected' or reason is not null)
);
create unique index ach_file_name on ach_file (name) where direction = 'out';
-- The same bytes are applied once.
create unique index ach_file_read on ach_file (sha256) where state = 'read';
create index ach_file_open on ach_file (state) where state in ('assembled', 'staged', 'rejected');
create index ach_file_created on ach_file (created_at);

-- A debit, credit or prenote. Who may be debited, and how much, is in processor_call.
create table ach_entry (
  partner_id text not null,
  -- the idempotency key of the call; of a prenote, made from the payment method's id
  key text not null,
  tenant_id text not null,
  -- its last 7 digits end the trace number
  number bigint generated always as identity unique,
  kind text not null check (kind in ('debit', 'credit', 'prenote')),
  payment_method_id text not null,
  -- of a credit: the debit that it gives back
  of_key text,
  amount_in_cents bigint not null check (amount_in_cents >= 0),
  -- of a debit: whether the tenant pays once, or as agreed for several payments, or again after a return
  occasion text not null check (occasion in ('single', 'recurring', 'retry')),
  -- waiting: in no file. sent: in a file. settled: no return came in time.
  -- failed: it came back before, or was withdrawn. returned: a debit that came back after it had settled.
  state text not null check (state in ('waiting', 'sent', 'settled', 'failed', 'returned')),
  -- the cut-off at which it is written to a file
  write_at timestamptz not null,
  file_id text references ach_file,
  effective_on date,
  settles_at timestamptz,
  settled_at timestamptz,
  returned_at timestamptz,
  return_code text,
  created_at timestamptz not null,
  -- When the ledger booked that the entry moved our bank account, on its settlement day, before we know
  -- whether it comes back. A return is booked with the file that reports it.
  booked_at timestamptz,
  primary key (partner_id, key),
  foreign key (partner_id, tenant_id) references tenant (partner_id, id),
  foreign key (partner_id, payment_method_id) references payment_method (partner_id, id),
  check ((kind = 'prenote') = (amount_in_cents = 0)),
  check ((kind = 'credit') = (of_key is not null)),
  check ((state in ('failed', 'returned')) = (returned_at is not null)),
  check ((return_code is null) = (returned_at is null)),
  check ((state in ('settled', 'returned')) <= (settled_at is not null)),
  check ((state = 'sent') <= (file_id is not null and effective_on is not null
    and settles_at is not null))
);
create index ach_entry_waiting on ach_entry (write_at) where state = 'waiting';
create index ach_entry_sent on ach_entry (settles_at) where state = 'sent';
create index ach_entry_trace on ach_entry ((number % 10000000)) where file_id is not null;
create index ach_entry_file on ach_entry (file_id) where file_id is not null;
create index ach_entry_method on ach_entry (partner_id, payment_method_id);
create index ach_entry_of on ach_entry (partner_id, of_key) where of_key is not null;
create index ach_entry_settled on ach_entry (settled_at) where settled_at is not null;
create index ach_entry_returned on ach_entry (returned_at) where returned_at is not null;
create index ach_entry_unbooked on ach_entry (effective_on)
  where booked_at is null and file_id is not null and kind <> 'prenote';

-- An entry in a file of the bank that could not be applied. The rest of the file is, and a person deals with
-- the entry: see docs/operate/ach.md.
create table ach_exception (
  file_id text not null references ach_file,
  -- its place among those of the file
  number integer not null,
  -- in the file, from 1
  line integer not null,
  reason text not null,
  -- the last 7 digits of the trace number of our entry, if that much could be read. Until the exception is
  -- resolved, that entry does not succeed.
  trace_number integer,
  created_at timestamptz not null,
  resolved_at timestamptz,
  primary key (file_id, number)
);
create index ach_exception_open on ach_exception (trace_number) where resolved_at is null;

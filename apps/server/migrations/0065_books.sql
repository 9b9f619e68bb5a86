-- Comparing the ledger with statements of banks and processors, and closing days; see
-- docs/operate/close-a-day.md and apps/server/src/domain/books.
-- oldest-service: 0.2.0
-- contract: replaces the check of account kinds by one that allows more

-- The books post to books_difference. A processor may have its own account, whose kind ends with _clearing.
alter table ledger_account
  drop constraint ledger_account_kind_check,
  add constraint ledger_account_kind_check check (kind in ('tenant_receivable', 'partner_payable',
    'fee_income', 'cash', 'credit_loss', 'processing_cost', 'books_difference')
    or kind like '%\_clearing') not valid;

-- An account at a bank, or our balance at a processor.
create table bank_account (
  id text primary key check (id like 'bac\_%'),
  name text not null unique,
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  account_last4 text not null,
  -- the kind of ledger accounts, of all partners together, that the statements are compared with
  ledger_account text not null check (ledger_account in ('cash', 'processor_clearing')),
  -- what happened before is in the first opening balance and is not compared
  starts_on date not null,
  created_at timestamptz not null
);

-- What a bank or processor says happened from one day to another. Statements of an account follow each
-- other without a gap.
create table bank_statement (
  id text primary key check (id like 'bst\_%'),
  bank_account_id text not null references bank_account,
  from_day date not null,
  to_day date not null check (to_day >= from_day),
  opening_in_cents bigint not null,
  closing_in_cents bigint not null,
  lines integer not null,
  format text not null,
  -- of everything above and all lines
  sha256 bytea not null check (octet_length(sha256) = 32),
  imported_at timestamptz not null,
  imported_by text not null,
  unique (bank_account_id, from_day),
  unique (bank_account_id, to_day)
);

-- A comparison: lines and ledger entries with one sum. Their rows name it.
create table book_match (
  id text primary key check (id like 'mat\_%'),
  bank_account_id text not null references bank_account,
  rule text not null check (rule in
    ('reference', 'same_reference', 'amount', 'batch', 'manual', 'adjustment')),
  reason text not null,
  matched_at timestamptz not null,
  matched_by text not null,
  -- the number of the seal that closed a day with it; until that is reopened, it cannot be undone
  closed_by bigint
);
create index book_match_open on book_match (matched_at) where closed_by is null;
create index book_match_closed on book_match (closed_by) where closed_by is not null;

create table bank_line (
  id text primary key check (id like 'bln\_%'),
  bank_account_id text not null references bank_account,
  statement_id text not null references bank_statement,
  -- its place in the statement, from 1
  number integer not null,
  kind text not null,
  booked_on date not null,
  amount_in_cents bigint not null check (amount_in_cents <> 0),
  reference text not null,
  description text not null,
  -- null while it is not matched
  match_id text references book_match,
  unique (statement_id, number)
);
create index bank_line_open on bank_line (bank_account_id) where match_id is null;
create index bank_line_reference on bank_line (reference) where reference <> '';
create index bank_line_match on bank_line (match_id) where match_id is not null;

-- A ledger entry that a statement has to confirm, copied once its transfer is sealed.
create table book_item (
  partner_id text not null references partner,
  transfer_id text not null,
  account_id text not null,
  -- the kind of the account
  ledger_account text not null,
  -- the kind of the transfer
  kind text not null,
  amount_in_cents bigint not null check (amount_in_cents <> 0),
  -- the day in New York
  day date not null,
  reference text not null,
  posted_at timestamptz not null,
  -- the last closed day, if the item is of it or of an earlier one and came after the close
  after_close date,
  -- null while it is not matched
  match_id text references book_match,
  primary key (partner_id, transfer_id, account_id),
  foreign key (partner_id, transfer_id, account_id)
    references ledger_entry (partner_id, transfer_id, account_id)
);
create index book_item_open on book_item (ledger_account) where match_id is null;
create index book_item_reference on book_item (reference);
create index book_item_match on book_item (match_id) where match_id is not null;
create index book_item_after_close on book_item (after_close) where after_close is not null;

-- The last seal of each partner's ledger whose transfers are in book_item.
create table book_cut (
  partner_id text primary key references partner,
  seal_number bigint not null check (seal_number >= 0)
);

-- Who looks into what is not matched: the id of a line, or a transfer and its kind of account.
create table book_owner (
  item text primary key,
  owner text not null,
  assigned_at timestamptz not null,
  assigned_by text not null
);

-- Closed and reopened days, as a chain. `content` is the text that was hashed.
create table book_seal (
  number bigint primary key check (number >= 1),
  action text not null check (action in ('close', 'reopen', 'sign')),
  day date,
  content text not null,
  previous_sha256 bytea not null check (octet_length(previous_sha256) = 32),
  sha256 bytea not null check (octet_length(sha256) = 32),
  -- HMAC of sha256, by the first key of SVC_SECRET_KEY at that time
  mac bytea not null check (octet_length(mac) = 32),
  sealed_at timestamptz not null,
  check ((day is null) = (action = 'sign'))
);
create index book_seal_day on book_seal (day);

create function books_refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% cannot be changed', tg_table_name;
end $$;
create trigger bank_statement_no_edit before update on bank_statement
  for each row execute function books_refuse_change();
create trigger book_seal_append_only before update or delete on book_seal
  for each row execute function books_refuse_change();
-- Only matching changes a line or an item; an open item may learn its reference. By column, so that
-- matching 100,000 lines calls no function.
create trigger bank_line_no_edit before update of id, bank_account_id, statement_id, number, kind,
    booked_on, amount_in_cents, reference, description on bank_line
  for each row execute function books_refuse_change();
create trigger book_item_no_edit before update of partner_id, transfer_id, account_id, ledger_account,
    kind, amount_in_cents, day, posted_at, after_close on book_item
  for each row execute function books_refuse_change();
create trigger book_item_keeps_reference before update of reference on book_item
  for each row when (old.match_id is not null) execute function books_refuse_change();
create trigger book_item_no_delete before delete on book_item
  for each row execute function books_refuse_change();

-- A statement of an open day can be replaced by a corrected one; see
-- apps/server/src/domain/books/replace-statement.ts.
-- Only the statement that the transaction names as replaced is deleted, and none of a closed day.
create function books_check_statement_removal() returns trigger language plpgsql as $$
begin
  if old.id = current_setting('svc.replaced_statement', true) and not exists (
    select from book_seal c where c.action = 'close' and c.day >= old.from_day
      and not exists (select from book_seal r
        where r.day = c.day and r.action = 'reopen' and r.number > c.number)) then
    return old;
  end if;
  raise exception 'bank_statement cannot be changed';
end $$;
create trigger bank_statement_no_delete before delete on bank_statement
  for each row execute function books_check_statement_removal();

create function books_check_line_removal() returns trigger language plpgsql as $$
begin
  if old.statement_id = current_setting('svc.replaced_statement', true) and old.match_id is null then
    return old;
  end if;
  raise exception 'bank_line cannot be changed';
end $$;
create trigger bank_line_no_delete before delete on bank_line
  for each row execute function books_check_line_removal();

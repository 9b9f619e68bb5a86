-- The audit log becomes tamper-evident: entries are sealed in batches, in one chain for each partner and
-- one for the operator's commands that concern no partner; see apps/server/src/domain/audit/seal.ts.
-- oldest-service: 0.2.0
-- contract: drops a foreign key and allows one more value, which takes nothing away from services of 0.2.0

-- Entries of the operator's commands about the whole installation have the partner 'operator'. What a
-- bank's file has changed is entered via 'bank'.
alter table audit_entry
  drop constraint audit_entry_partner_id_fkey,
  add constraint audit_entry_partner_check
    check (partner_id = 'operator' or partner_id like 'ptn\_%') not valid,
  drop constraint audit_entry_via_check,
  add constraint audit_entry_via_check check (via in ('key', 'portal', 'cli', 'bank')) not valid;

-- Entries that wait for a seal. A trigger fills it, so entries of services of 0.2.0 are sealed too.
create table audit_unsealed (
  partner_id text not null,
  entry_id text not null,
  primary key (partner_id, entry_id)
);

create function audit_note_unsealed() returns trigger language plpgsql as $$
begin
  insert into audit_unsealed (partner_id, entry_id) select partner_id, id from added;
  return null;
end $$;
create trigger audit_entry_added after insert on audit_entry
  referencing new table as added for each statement execute function audit_note_unsealed();
-- Creating the trigger has locked the table against writers, so no entry is left out.
insert into audit_unsealed (partner_id, entry_id) select partner_id, id from audit_entry;

create table audit_seal (
  partner_id text not null,
  number bigint not null check (number >= 1),
  entry_ids text[] not null,
  -- of each entry, in the order of entry_ids, in hexadecimal
  entry_sha256s text[] not null,
  previous_sha256 bytea not null check (octet_length(previous_sha256) = 32),
  sha256 bytea not null check (octet_length(sha256) = 32),
  -- HMAC of sha256, by the first key of SVC_SECRET_KEY at that time
  mac bytea not null check (octet_length(mac) = 32),
  sealed_at timestamptz not null,
  primary key (partner_id, number),
  check (cardinality(entry_sha256s) = cardinality(entry_ids))
);

-- Mistakes end here. Against intent, "svc-admin migrate grant" takes the privileges away.
create function audit_seal_refuse_change() returns trigger language plpgsql as $$
begin
  raise exception 'the seals of the audit log are append-only';
end $$;
create trigger audit_seal_append_only before update or delete on audit_seal
  for each row execute function audit_seal_refuse_change();
create trigger audit_seal_no_truncate before truncate on audit_seal
  for each statement execute function audit_seal_refuse_change();
create trigger audit_entry_no_truncate before truncate on audit_entry
  for each statement execute function audit_seal_refuse_change();

-- Deletes the oldest entries past their age, with the rights of the tables' owner. A caller that may
-- not delete otherwise cannot lie about the time: the database's clock limits it to the age in
-- apps/server/src/domain/audit/delete-old.ts.
create function audit_delete_expired(kept_since timestamptz, most integer) returns bigint
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  deleted bigint;
  before_time timestamptz := kept_since;
begin
  if not has_table_privilege(session_user, 'audit_entry', 'delete') then
    before_time := least(before_time, clock_timestamp() - interval '400 days');
  end if;
  perform set_config('svc.audit_kept_since', before_time::text, true);
  delete from audit_entry where (partner_id, id) in (
    select partner_id, id from audit_entry where occurred_at < before_time
    order by occurred_at limit most);
  get diagnostics deleted = row_count;
  perform set_config('svc.audit_kept_since', '', true);
  return deleted;
end $$;
revoke execute on function audit_delete_expired from public;

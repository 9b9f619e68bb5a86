-- The webhook portal: who acted, in words; an age limit of the audit log; bodies saved to test with.

alter table api_key add column ends_with text check (ends_with ~ '^[0-9A-Za-z]{4}$');
alter table portal_link add column person text;
alter table portal_session add column person text;
create index portal_session_age on portal_session (expires_at);

create index audit_entry_credential on audit_entry (partner_id, credential_id, id desc);
create index audit_entry_group on audit_entry (partner_id, split_part(action, '.', 1), id desc);
create index audit_entry_age on audit_entry (occurred_at);

-- Still append-only: only the transaction that names the limit deletes, and only what is older.
create or replace function audit_refuse_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE'
    and old.occurred_at < nullif(current_setting('svc.audit_kept_since', true), '')::timestamptz
  then
    return old;
  end if;
  raise exception 'the audit log is append-only';
end $$;

create table test_preset (
  id text primary key check (id like 'tpr\_%'),
  partner_id text not null references partner,
  name text not null check (char_length(name) between 1 and 60),
  event_type text not null,
  body text not null check (octet_length(body) <= 65536),
  saved_at timestamptz not null,
  unique (partner_id, name)
);

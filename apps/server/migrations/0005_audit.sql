-- Who did what to the partner's webhooks, written in the transaction of what it tells of.

create table audit_entry (
  id text primary key check (id like 'aud\_%'),
  partner_id text not null references partner,
  action text not null check (action ~ '^[a-z]+\.[a-z_]+$'),
  via text not null check (via in ('key', 'portal')),
  credential_id text not null,
  endpoint_id text,
  subject_id text,
  details jsonb not null check (jsonb_typeof(details) = 'object'),
  request_id text not null,
  occurred_at timestamptz not null
);
create index audit_entry_partner on audit_entry (partner_id, id desc);
create index audit_entry_endpoint on audit_entry (partner_id, endpoint_id, id desc);

create function audit_refuse_change() returns trigger language plpgsql as $$
begin
  raise exception 'the audit log is append-only';
end $$;
create trigger audit_entry_append_only before update or delete on audit_entry
  for each row execute function audit_refuse_change();

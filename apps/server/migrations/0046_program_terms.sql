-- Terms of the product by partner, state of the property and date: fees, limits, payments, late rules and
-- texts. A row never changes; a new version is a new row. Null for the partner or the state means all.
-- terms_version: the version that a plan was agreed under. Null: a service before 0.3.0 stored the plan,
-- whose terms are the ones built into it, "default-2026-11".
-- agreement_sealed: the agreement as the tenant read it, encrypted, because it names the tenant and the
-- home. disclosure_text has the agreement without both, and disclosure_sha256 the hash of the full text.
-- Null: a service before 0.3.0 stored the plan, and disclosure_text is the full text; or the tenant was
-- erased.
-- oldest-service: 0.2.0
create table program_terms (
  version text primary key check (version like 'trm\_%'),
  partner_id text references partner (id),
  state text check (state ~ '^[A-Z]{2}$'),
  effective_from date not null,
  terms jsonb not null check (jsonb_typeof(terms) = 'object'),
  sha256 bytea not null check (octet_length(sha256) = 32),
  created_by text not null,
  reason text not null,
  created_at timestamptz not null
);
create index program_terms_partner on program_terms (partner_id);

create function program_terms_refuse_change() returns trigger language plpgsql as $$
begin
  raise exception 'program terms never change: apply a new version instead';
end $$;
create trigger program_terms_immutable before update or delete on program_terms
  for each row execute function program_terms_refuse_change();
create trigger program_terms_no_truncate before truncate on program_terms
  for each statement execute function program_terms_refuse_change();

alter table plan add column agreement_sealed bytea, add column terms_version text;

create function plan_refuse_new_terms() returns trigger language plpgsql as $$
begin
  if (old.terms_version, old.disclosure_sha256, old.quote_id)
    is distinct from (new.terms_version, new.disclosure_sha256, new.quote_id)
  then
    raise exception 'plan % keeps the terms and the agreement that it was made with', old.id;
  end if;
  return new;
end $$;
create trigger plan_keeps_agreement before update of terms_version, disclosure_sha256, quote_id on plan
  for each row execute function plan_refuse_new_terms();

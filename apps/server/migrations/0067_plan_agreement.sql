-- agreement_sealed: the agreement as the tenant read it, encrypted, because it names the tenant and the
-- home. disclosure_text has the agreement without both, and disclosure_sha256 the hash of the full text.
-- Null: a service before 0.3.0 stored the plan, and disclosure_text is the full text; or the tenant was
-- erased.
-- oldest-service: 0.2.0
alter table plan add column agreement_sealed bytea;

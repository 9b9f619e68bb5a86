-- The tenant's email_hmac when the link was made. It replaces email_sha256, from which an address can
-- be guessed; services before 0.3.0 still need that one.
-- oldest-service: 0.2.0
alter table tenant_token add column email_hmac bytea;

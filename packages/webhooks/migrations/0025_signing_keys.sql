-- The ed25519 key pairs of an endpoint that also signs with them, newest first: the public keys with the
-- times at which the older ones end, and the private keys, sealed. Null: it signs with secrets only.
-- Releases before these columns sign with secrets only.
-- oldest-service: 0.2.0
alter table webhook_endpoints
  add column public_keys jsonb,
  add column sealed_private_keys bytea;

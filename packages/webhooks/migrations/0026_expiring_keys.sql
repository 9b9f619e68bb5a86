-- When the oldest key pair of an endpoint stops signing, so that upkeep finds the pairs to delete without
-- reading every endpoint. A rotation never lets an older pair sign for longer than a newer one.
-- oldest-service: 0.2.0
-- no-transaction
create index concurrently webhook_endpoints_keys_expire
  on webhook_endpoints ((public_keys -> -1 ->> 'expires_at') collate "C")
  where public_keys -> -1 ->> 'expires_at' is not null;

-- Finds the API key of a link that shows it once.
-- oldest-service: 0.2.0
-- no-transaction
create index concurrently api_key_link on api_key (link_sha256) where link_sha256 is not null;

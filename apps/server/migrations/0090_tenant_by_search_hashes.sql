-- Finds tenants by what the operator's console searches for.
-- oldest-service: 0.2.0
-- no-transaction
create index concurrently tenant_search_hashes on tenant using gin (search_hashes);

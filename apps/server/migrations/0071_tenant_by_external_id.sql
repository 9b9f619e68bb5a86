-- Finds tenants by the beginning of their external id, in any case.
-- oldest-service: 0.2.0
-- no-transaction
create index concurrently tenant_search on tenant (partner_id, lower(external_id), external_id);

-- Finds the few tenants with a simulated clock, whose due rows are not those of the real time.
-- oldest-service: 0.2.0
-- no-transaction
create index concurrently tenant_simulated on tenant (partner_id, id) where clock_offset_ms is not null;

-- Roommates: the tenants of one lease, to say "your share" of the rent.
create index tenant_lease on tenant (partner_id, (lease->>'id')) where lease is not null;

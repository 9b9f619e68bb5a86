-- Finds the entries that name a tenant by the portal's id.
-- oldest-service: 0.2.0
-- no-transaction
create index concurrently audit_entry_tenant on audit_entry (partner_id, (details ->> 'external_id'), id) where details ? 'external_id';

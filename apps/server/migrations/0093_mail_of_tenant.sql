-- Finds the mails of a tenant for the timeline of the operator's console.
-- oldest-service: 0.2.0
-- no-transaction
create index concurrently mail_tenant on mail (partner_id, tenant_id, id);

-- Finds the text messages of a tenant for the timeline of the operator's console.
-- oldest-service: 0.2.0
-- no-transaction
create index concurrently text_message_tenant on text_message (partner_id, tenant_id, id);

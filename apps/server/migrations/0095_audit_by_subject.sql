-- Finds what people did with a tenant, a plan or a payment.
-- oldest-service: 0.2.0
-- no-transaction
create index concurrently audit_entry_subject on audit_entry (partner_id, subject_id, id) where subject_id is not null;

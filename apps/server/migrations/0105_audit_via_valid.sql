-- Validates the check of 0103 on the audit log, which reads the table and blocks nothing.
-- oldest-service: 0.2.0
-- no-transaction
alter table audit_entry validate constraint audit_entry_via_check;

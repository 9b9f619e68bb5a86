-- Reads the audit log once, and blocks neither reads nor writes.
-- oldest-service: 0.2.0
-- no-transaction
alter table audit_entry validate constraint audit_entry_via_check;

-- Reads the console sessions once, and blocks neither reads nor writes.
-- oldest-service: 0.2.0
-- no-transaction
alter table portal_session validate constraint portal_session_view_check;

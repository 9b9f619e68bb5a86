-- A session of the experience in which an operator sees what the tenant sees. A service that does not know the
-- column takes it for one that began with a mail's link, whose address has changed: it refuses the session.
-- oldest-service: 0.2.0
alter table experience_session add column operator_session_id text;

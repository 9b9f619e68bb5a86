-- The API key that created the link of a portal session: revoking the key ends the session; see
-- apps/server/src/domain/access/api-keys.ts. Null in sessions that a service before 0.3.0 opened.
-- oldest-service: 0.2.0
alter table portal_session add column key_id text;

-- Portal sessions end after 30 idle minutes; see apps/server/src/domain/access/portal-sessions.ts.
-- Null in sessions that a service before 0.3.0 opened, until a newer one sees them used.
-- oldest-service: 0.2.0
alter table portal_session add column idle_until timestamptz;

-- A session ends after 30 idle minutes, and when the API key is revoked that created its link; see
-- apps/server/src/domain/access/portal-sessions.ts and api-keys.ts. Null in sessions that a service before
-- 0.3.0 opened, until a newer one sees them used.
-- scope: the part of the portal that a session reaches. Sessions of older services reach webhooks only.
-- oldest-service: 0.2.0
alter table portal_session
  add column idle_until timestamptz,
  add column key_id text,
  add column scope text not null default 'webhooks';

-- scope: the part of the portal that a link opens: webhooks, or the whole console (admin).
-- key_id: the API key that created the link: revoking the key ends the link; see
-- apps/server/src/domain/access/api-keys.ts. Null in links of services before 0.3.0.
-- oldest-service: 0.2.0
alter table portal_link
  add column key_id text,
  add column scope text not null default 'webhooks';

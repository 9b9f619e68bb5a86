-- The part of the portal that a session reaches. Sessions of older services reach webhooks only.
-- oldest-service: 0.2.0
alter table portal_session add column scope text not null default 'webhooks';

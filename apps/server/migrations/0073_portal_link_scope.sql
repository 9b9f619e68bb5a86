-- The part of the portal that a link opens: webhooks, or the whole console (admin).
-- oldest-service: 0.2.0
alter table portal_link add column scope text not null default 'webhooks';

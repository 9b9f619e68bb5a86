-- A console session in a frame on a page of the partner reaches one view, and `tenant_plan` one tenant
-- (domain/access/portal-tokens.ts). Older services do not know these sessions: they never see the secret,
-- because only a bearer token opens them.
-- oldest-service: 0.2.0
alter table portal_session
  add column view text,
  add column external_id text;
alter table portal_session add constraint portal_session_view_check check (
  view in ('settlements', 'tenant_plan', 'webhooks')
    and (view = 'tenant_plan') = (external_id is not null)
  or view is null and external_id is null) not valid;

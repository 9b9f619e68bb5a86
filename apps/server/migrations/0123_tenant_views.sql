-- The console session that sees what a tenant of the sandbox sees (domain/forks/view-tenant.ts).
-- oldest-service: 0.2.0
alter table experience_session add column portal_session_id text;

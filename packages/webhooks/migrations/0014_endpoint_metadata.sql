-- The owner's own facts about an endpoint, such as the team that runs it. Never read by the engine.
-- oldest-service: 0.2.0
alter table webhook_endpoints add column metadata jsonb not null default '{}';

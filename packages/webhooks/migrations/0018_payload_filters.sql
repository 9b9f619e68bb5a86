-- Conditions on a message's body, as a list. Null: every message. A message that does not match is
-- recorded as skipped when it is published.
-- Release 0.2.0 ignores the column, so an endpoint may get messages that its filter excludes until
-- all processes are upgraded.
-- oldest-service: 0.2.0
alter table webhook_endpoints add column filter jsonb;

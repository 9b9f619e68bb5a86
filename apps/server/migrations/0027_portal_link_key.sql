-- The API key that created a link to the webhook portal: revoking the key ends the link; see
-- apps/server/src/domain/access/api-keys.ts. Null in links of services before 0.3.0.
-- oldest-service: 0.2.0
alter table portal_link add column key_id text;

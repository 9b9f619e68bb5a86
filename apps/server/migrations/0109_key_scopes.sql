-- What an API key may do (packages/contract/src/api/key-scopes.ts). A service that does not know the column lets
-- every key do everything: create keys with other scopes when all processes are updated.
-- oldest-service: 0.2.0
alter table api_key add column scopes text[] not null default array['everything'];

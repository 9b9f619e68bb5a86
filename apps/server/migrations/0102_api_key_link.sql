-- A link that shows a new API key once, to the partner's developer. Its secret is in the link's fragment only.
-- link_opened_at: when the link was opened, which ends it.
-- oldest-service: 0.2.0
alter table api_key
  add column link_sha256 bytea,
  add column link_expires_at timestamptz,
  add column link_opened_at timestamptz;

-- The calls of the partner API, for a week. Written in batches after the response; see
-- apps/server/src/http/request-log. Bodies contain only the fields of an allow-list.
-- oldest-service: 0.2.0

create table request_log (
  partner_id text not null references partner (id),
  id text collate "C" not null check (id like 'req\_%'),
  key_id text not null,
  occurred_at timestamptz not null,
  method text not null,
  path text not null,
  status integer not null check (status between 100 and 599),
  duration_ms integer not null,
  code text,
  external_id text collate "C",
  user_agent text,
  query json not null,
  request_body json,
  error json,
  primary key (partner_id, id)
);
create index request_log_external_id on request_log (partner_id, external_id, id desc)
  where external_id is not null;
create index request_log_failed on request_log (partner_id, id desc) where status >= 400;
create index request_log_age on request_log (occurred_at);

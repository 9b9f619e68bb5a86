-- Reminders by text message: the consent of each tenant, and the texts to send.
-- oldest-service: 0.2.0
create table text_consent (
  partner_id text not null,
  id text not null,
  tenant_id text not null,
  number_sealed bytea not null,
  -- Finds the consents of a number that replies. Keyed, so that numbers cannot be guessed.
  number_hmac bytea not null check (octet_length(number_hmac) = 32),
  -- The exact words on screen when the tenant agreed.
  consent_text text not null,
  consent_version text not null,
  locale text not null,
  -- Null once it was entered or can no longer be.
  code_hmac bytea check (octet_length(code_hmac) = 32),
  code_expires_at timestamptz not null,
  tries_left integer not null check (tries_left >= 0),
  requested_at timestamptz not null,
  confirmed_at timestamptz,
  ended_at timestamptz,
  ended_by text check (ended_by in ('tenant', 'stop', 'replaced', 'undeliverable')),
  primary key (partner_id, id),
  foreign key (partner_id, tenant_id) references tenant (partner_id, id),
  check ((ended_at is null) = (ended_by is null))
);
create unique index text_consent_active on text_consent (partner_id, tenant_id)
  where confirmed_at is not null and ended_at is null;
create index text_consent_tenant on text_consent (partner_id, tenant_id, requested_at);
create index text_consent_number on text_consent (number_hmac);
create index text_consent_requested on text_consent (partner_id, requested_at);
create index text_consent_unconfirmed on text_consent (requested_at) where confirmed_at is null;

create table text_message (
  partner_id text not null,
  id text not null,
  tenant_id text not null,
  consent_id text not null,
  type text not null check (type in ('installment.upcoming', 'installment.failed', 'plan.past_due')),
  data jsonb not null,
  simulated boolean not null,
  attempts integer not null default 0,
  due_at timestamptz,
  created_at timestamptz not null,
  -- When the provider accepted it.
  sent_at timestamptz,
  provider_ref text,
  -- Why it was not sent, or that the outcome is not known.
  failure text,
  primary key (partner_id, id),
  foreign key (partner_id, tenant_id) references tenant (partner_id, id)
);
create index text_message_due on text_message (due_at) where due_at is not null;
create index text_message_created on text_message (created_at);

-- The ids of received texts, so that a repeated one changes nothing. They hold neither number nor text.
create table text_inbound (
  id text primary key,
  received_at timestamptz not null
);
create index text_inbound_received on text_inbound (received_at);

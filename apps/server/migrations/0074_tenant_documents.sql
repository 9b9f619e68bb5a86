-- Keeps the documents that a tenant has downloaded, so that each of them is the same file ever after.
-- oldest-service: 0.2.0
create table tenant_document (
  partner_id text not null,
  tenant_id text not null,
  kind text not null check (kind in ('agreement', 'receipt', 'notice', 'payoff', 'statement')),
  -- What it is about: the id of a plan, a payment or an application, or a year.
  subject_id text not null,
  locale text not null,
  -- The facts in it that can still change. Other facts make another document, and this one stays.
  revision text not null,
  -- The PDF as base64, sealed.
  content_sealed bytea not null,
  created_at timestamptz not null,
  primary key (partner_id, tenant_id, kind, subject_id, locale, revision),
  foreign key (partner_id, tenant_id) references tenant (partner_id, id)
);

-- How each tenant wants the notices that the law requires in writing. The newest row counts.
-- oldest-service: 0.2.0
create table electronic_records (
  partner_id text not null,
  id text not null,
  tenant_id text not null,
  -- False: on paper, because the tenant did not agree to electronic records or withdrew the consent.
  agreed boolean not null,
  -- The exact words on screen when the tenant agreed.
  consent_text text,
  consent_version text,
  locale text,
  decided_at timestamptz not null,
  primary key (partner_id, id),
  foreign key (partner_id, tenant_id) references tenant (partner_id, id),
  check (agreed = (consent_text is not null)),
  check (agreed = (consent_version is not null)),
  check (agreed = (locale is not null))
);
create index electronic_records_tenant on electronic_records (partner_id, tenant_id, decided_at, id);

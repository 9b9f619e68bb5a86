-- bounced_at: when the recipient's mail server said that the address takes no mail; failure has its answer.
-- bounced_address: the tenants whose present or past address did so, by the HMAC of the address. It outlives
-- the mail, and counts only while the tenant still has that address.
-- oldest-service: 0.2.0
alter table mail add column bounced_at timestamptz;

create table bounced_address (
  partner_id text not null,
  tenant_id text not null,
  email_hmac bytea not null check (octet_length(email_hmac) = 32),
  reason text not null,
  bounced_at timestamptz not null,
  primary key (partner_id, tenant_id),
  foreign key (partner_id, tenant_id) references tenant (partner_id, id)
);

-- More events are mailed. A service before 0.3.0 fails to write a mail of a type that it does not know;
-- it records the failure, and the mail is tried again later.
-- bounced_at: when the recipient's mail server said that the address takes no mail; failure has its answer.
-- bounced_address: the tenants whose present or past address did so, by the HMAC of the address. It outlives
-- the mail, and counts only while the tenant still has that address.
-- oldest-service: 0.2.0
-- contract: replaces the check of the mails' types by one with more types
alter table mail
  drop constraint mail_type_check,
  add constraint mail_type_check check (type in (
    'plan.activated', 'plan.payment_method', 'plan.refunded', 'plan.past_due', 'plan.completed',
    'plan.charged_off', 'plan.canceled', 'application.declined', 'installment.upcoming',
    'installment.failed', 'installment.paid', 'installment.rescheduled', 'autopay.enabled',
    'autopay.disabled')) not valid,
  add column bounced_at timestamptz;

create table bounced_address (
  partner_id text not null,
  tenant_id text not null,
  email_hmac bytea not null check (octet_length(email_hmac) = 32),
  reason text not null,
  bounced_at timestamptz not null,
  primary key (partner_id, tenant_id),
  foreign key (partner_id, tenant_id) references tenant (partner_id, id)
);

-- Decisions that are asked of an outside service, mails to tenants, and the links in them.

create table review (
  application_id text primary key references application,
  facts jsonb not null,
  attempts integer not null default 0,
  -- Wall time; a claim moves it ahead, so that it is its own lease.
  due_at timestamptz not null,
  last_failure text
);
create index review_due on review (due_at);

drop index application_expiry;
create index application_expiry on application (expires_at)
  where state in ('submitted', 'in_review', 'approved');

-- The language of the tenant's mails: that of the consent.
alter table tenant add locale text check (locale in ('en', 'es'));

-- A link in a mail is a tenant token that needs no widget beside it.
alter table tenant_token add by_mail boolean not null default false;

create table mail (
  id text primary key check (id like 'mal\_%'),
  tenant_id text not null references tenant,
  type text not null check (type in ('installment.upcoming', 'installment.failed',
    'installment.paid')),
  data jsonb not null,
  product_variant text not null check (product_variant in ('rent', 'hoa')),
  simulated boolean not null,
  link_sealed bytea,
  attempts integer not null default 0,
  -- Wall time; null once it was sent or given up.
  due_at timestamptz,
  sent_at timestamptz,
  failure text,
  created_at timestamptz not null
);
create index mail_due on mail (due_at) where due_at is not null;
create index mail_created on mail (created_at);

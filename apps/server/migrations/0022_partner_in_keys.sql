-- The partner in the key of every tenant-owned table, except the money tables (0023). A statement
-- that forgets the partner then finds no row of another one, a foreign key cannot cross partners, and
-- each table can later be distributed by partner_id: every unique index of it starts with that column.
-- Ids begin with their time, so a table can also be partitioned by ranges of its ids.
--
-- Rewrites every row: stop the service. Readers and writers would wait for the whole migration.
-- oldest-service: 0.2.0
-- contract: services before 0.2.0 do not write the partner into every row

-- Foreign keys go first, because they depend on the keys that are replaced. Those of the money tables
-- come back in 0023.
alter table ledger_account drop constraint ledger_account_tenant_id_fkey;
alter table processor_entry
  drop constraint processor_entry_tenant_id_fkey,
  drop constraint processor_entry_payment_method_id_fkey;
alter table processor_event
  drop constraint processor_event_tenant_id_fkey,
  drop constraint processor_event_payment_id_fkey;
alter table settlement
  drop constraint settlement_tenant_id_fkey,
  drop constraint settlement_plan_id_fkey;
alter table application drop constraint application_tenant_id_fkey;
alter table charge drop constraint charge_tenant_id_fkey;
alter table decision drop constraint decision_application_id_fkey;
alter table experience_session drop constraint experience_session_tenant_id_fkey;
alter table installment drop constraint installment_plan_id_fkey;
alter table mail drop constraint mail_tenant_id_fkey;
alter table payment
  drop constraint payment_installment_id_fkey,
  drop constraint payment_payment_method_id_fkey;
alter table payment_method drop constraint payment_method_tenant_id_fkey;
alter table plan
  drop constraint plan_tenant_id_fkey,
  drop constraint plan_application_id_fkey,
  drop constraint plan_payment_method_id_fkey;
alter table plan_charge drop constraint plan_charge_plan_id_fkey;
alter table plan_history drop constraint plan_history_plan_id_fkey;
alter table review drop constraint review_application_id_fkey;
alter table tenant_due drop constraint tenant_due_tenant_id_fkey;
alter table tenant_token drop constraint tenant_token_tenant_id_fkey;

-- Where the partner was known by a join only.
alter table charge add column partner_id text;
update charge c set partner_id = t.partner_id from tenant t where t.id = c.tenant_id;
alter table decision add column partner_id text;
update decision d set partner_id = a.partner_id from application a where a.id = d.application_id;
alter table experience_session add column partner_id text;
update experience_session s set partner_id = t.partner_id from tenant t where t.id = s.tenant_id;
alter table installment add column partner_id text;
update installment i set partner_id = p.partner_id from plan p where p.id = i.plan_id;
alter table mail add column partner_id text;
update mail m set partner_id = t.partner_id from tenant t where t.id = m.tenant_id;
alter table payment add column partner_id text;
update payment y set partner_id = i.partner_id from installment i where i.id = y.installment_id;
alter table payment_method add column partner_id text;
update payment_method m set partner_id = t.partner_id from tenant t where t.id = m.tenant_id;
alter table plan_charge add column partner_id text;
update plan_charge c set partner_id = p.partner_id from plan p where p.id = c.plan_id;
alter table plan_history add column partner_id text;
update plan_history h set partner_id = p.partner_id from plan p where p.id = h.plan_id;
alter table review add column partner_id text;
update review r set partner_id = a.partner_id from application a where a.id = r.application_id;
alter table tenant_due add column partner_id text;
update tenant_due d set partner_id = t.partner_id from tenant t where t.id = d.tenant_id;
alter table tenant_token add column partner_id text;
update tenant_token k set partner_id = t.partner_id from tenant t where t.id = k.tenant_id;
-- A scope is "<owner> <method> <path>", and the owner is a partner or a tenant. The stored answer is
-- sealed to its scope, so the scope stays as it is.
alter table idempotency_key add column partner_id text;
update idempotency_key k set partner_id = coalesce(
  (select t.partner_id from tenant t where t.id = split_part(k.scope, ' ', 1)),
  split_part(k.scope, ' ', 1));

-- Tenants, and what belongs to one.
alter table tenant drop constraint tenant_pkey, add primary key (partner_id, id);

alter table charge
  alter column partner_id set not null,
  drop constraint charge_pkey,
  add primary key (partner_id, tenant_id, id),
  add foreign key (partner_id, tenant_id) references tenant (partner_id, id);

alter table tenant_due
  alter column partner_id set not null,
  drop constraint tenant_due_pkey,
  add primary key (partner_id, tenant_id),
  add foreign key (partner_id, tenant_id) references tenant (partner_id, id);

alter table mail
  alter column partner_id set not null,
  drop constraint mail_pkey,
  add primary key (partner_id, id),
  add foreign key (partner_id, tenant_id) references tenant (partner_id, id);

alter table payment_method
  alter column partner_id set not null,
  drop constraint payment_method_pkey,
  add primary key (partner_id, id),
  add foreign key (partner_id, tenant_id) references tenant (partner_id, id);
drop index payment_method_tenant;
create index payment_method_tenant on payment_method (partner_id, tenant_id, created_at desc);

-- Applications.
alter table application
  drop constraint application_pkey,
  add primary key (partner_id, id),
  add foreign key (partner_id, tenant_id) references tenant (partner_id, id);
drop index application_open;
create unique index application_open on application (partner_id, tenant_id)
  where state in ('started', 'submitted', 'in_review', 'approved');
drop index application_tenant;
create index application_tenant on application (partner_id, tenant_id, created_at desc);

alter table decision
  alter column partner_id set not null,
  drop constraint decision_pkey,
  add primary key (partner_id, id),
  add foreign key (partner_id, application_id) references application (partner_id, id);
drop index decision_application;
create index decision_application on decision (partner_id, application_id);

alter table review
  alter column partner_id set not null,
  drop constraint review_pkey,
  add primary key (partner_id, application_id),
  add foreign key (partner_id, application_id) references application (partner_id, id);

-- Plans.
alter table plan
  drop constraint plan_pkey,
  add primary key (partner_id, id),
  add foreign key (partner_id, tenant_id) references tenant (partner_id, id),
  add foreign key (partner_id, application_id) references application (partner_id, id),
  add foreign key (partner_id, payment_method_id) references payment_method (partner_id, id);
drop index plan_open;
create unique index plan_open
  on plan (partner_id, tenant_id, (case when reopened then id else '' end))
  where state in ('created', 'active', 'past_due');
drop index plan_tenant;
create index plan_tenant on plan (partner_id, tenant_id, created_at desc);

alter table plan_charge
  alter column partner_id set not null,
  drop constraint plan_charge_pkey,
  add primary key (partner_id, plan_id, charge_id),
  add foreign key (partner_id, plan_id) references plan (partner_id, id);

alter table plan_history
  alter column partner_id set not null,
  drop constraint plan_history_pkey,
  add primary key (partner_id, id),
  add foreign key (partner_id, plan_id) references plan (partner_id, id);
drop index plan_history_plan;
create index plan_history_plan on plan_history (partner_id, plan_id, id desc);

alter table installment
  alter column partner_id set not null,
  drop constraint installment_pkey,
  drop constraint installment_plan_id_number_key,
  add primary key (partner_id, id),
  add unique (partner_id, plan_id, number),
  add foreign key (partner_id, plan_id) references plan (partner_id, id);

alter table payment
  alter column partner_id set not null,
  drop constraint payment_pkey,
  drop constraint payment_installment_id_attempt_key,
  add primary key (partner_id, id),
  add unique (partner_id, installment_id, attempt),
  add foreign key (partner_id, installment_id) references installment (partner_id, id),
  add foreign key (partner_id, payment_method_id) references payment_method (partner_id, id);
drop index payment_once;
create unique index payment_once on payment (partner_id, installment_id)
  where outcome in ('pending', 'succeeded');

-- What belongs to a partner as a whole.
alter table audit_entry drop constraint audit_entry_pkey, add primary key (partner_id, id);
-- The primary key read backwards.
drop index audit_entry_partner;
alter table test_preset drop constraint test_preset_pkey, add primary key (partner_id, id);
-- Deduplicates for 24 hours, so it needs no partitions.
alter table idempotency_key
  alter column partner_id set not null,
  drop constraint idempotency_key_pkey,
  add primary key (partner_id, scope, key);

-- Credentials. These tables answer "who is this?" before the partner is known, so the hash of the
-- secret stays unique across all partners. Distributed, they are a directory that every node has.
alter table api_key drop constraint api_key_pkey, add primary key (partner_id, id);
alter table portal_session drop constraint portal_session_pkey, add primary key (partner_id, id);
alter table tenant_token
  alter column partner_id set not null,
  add foreign key (partner_id, tenant_id) references tenant (partner_id, id);
alter table experience_session
  alter column partner_id set not null,
  drop constraint experience_session_pkey,
  add primary key (partner_id, id),
  add foreign key (partner_id, tenant_id) references tenant (partner_id, id);

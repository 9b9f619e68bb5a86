-- What people do with the work queues of the operator's console, and which tenants they see unmasked.
-- oldest-service: 0.2.0
create table queue_item_note (
  queue text not null,
  -- The id of what waits, such as an application or a line of a bank statement.
  item_id text not null,
  -- The operator who takes care of it.
  owner text,
  snoozed_until timestamptz,
  noted_at timestamptz not null,
  noted_by text not null,
  primary key (queue, item_id)
);
create table tenant_unmasking (
  partner_id text not null,
  tenant_id text not null,
  session_id text not null,
  expires_at timestamptz not null,
  primary key (partner_id, tenant_id, session_id),
  foreign key (partner_id, tenant_id) references tenant (partner_id, id)
);

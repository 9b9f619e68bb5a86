-- First payments that the sandbox of 0.2.0 left pending, before calls were rows: the simulator gets their
-- calls and the time of its answer, and answers for them like for any other. Production has none, because
-- it had no processor.
-- oldest-service: 0.2.0
-- backfill: payment by id, 500 rows
with pending as (
  select y.*, p.tenant_id from payment y
    join installment i on i.partner_id = y.partner_id and i.id = y.installment_id
    join plan p on p.partner_id = i.partner_id and p.id = i.plan_id
  where y.id between $1 and $2 and y.outcome = 'pending' and y.payment_method_id is not null
    and not exists (select from processor_call c where c.partner_id = y.partner_id and c.key = y.id)
), sent as (
  insert into processor_call (partner_id, key, tenant_id, kind, processor, payment_id,
    payment_method_id, source_id, amount_in_cents, occasion, part_state, state, ref, sent_at, check_at,
    created_at, updated_at)
  select partner_id, id, tenant_id, 'charge', 'simulator', id, payment_method_id, id, amount_in_cents,
    'first', 'scheduled', 'processing', 'tb_' || id, created_at, created_at, created_at, created_at
  from pending
), received as (
  insert into simulator_call (partner_id, key, tenant_id, kind, amount_in_cents, state, created_at)
  select partner_id, id, tenant_id, 'charge', amount_in_cents, 'processing', created_at from pending
)
insert into simulator_event (partner_id, id, tenant_id, key, kind, occurs_at)
select partner_id, id || '.outcome', tenant_id, id, 'outcome', settles_at from pending

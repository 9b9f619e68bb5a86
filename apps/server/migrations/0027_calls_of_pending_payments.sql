-- First payments that the sandbox left pending before calls were rows: the simulator answers for them
-- like for any other. Production has none, because it had no processor.
-- oldest-service: 0.2.0
-- backfill: payment by id, 500 rows
insert into processor_call (partner_id, key, tenant_id, kind, processor, payment_id,
  payment_method_id, source_id, amount_in_cents, occasion, part_state, state, ref, sent_at, check_at,
  created_at, updated_at)
select partner_id, id, tenant_id, 'charge', 'simulator', id, payment_method_id, id, amount_in_cents,
  'first', 'scheduled', 'processing', 'tb_' || id, created_at, created_at, created_at, created_at
from (
  select y.*, p.tenant_id from payment y
    join installment i on i.partner_id = y.partner_id and i.id = y.installment_id
    join plan p on p.partner_id = i.partner_id and p.id = i.plan_id
  where y.outcome = 'pending' and y.payment_method_id is not null
    and not exists (select from processor_call c where c.partner_id = y.partner_id and c.key = y.id)
) pending
where id between $1 and $2

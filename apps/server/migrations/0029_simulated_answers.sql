-- When the simulator answers for the same payments.
-- oldest-service: 0.2.0
-- backfill: payment by id, 500 rows
insert into simulator_event (partner_id, id, tenant_id, key, kind, occurs_at)
select partner_id, id || '.outcome', tenant_id, id, 'outcome', settles_at
from (
  select y.id, y.partner_id, y.settles_at, c.tenant_id from payment y
    join processor_call c on c.partner_id = y.partner_id and c.key = y.id
  where y.outcome = 'pending' and c.processor = 'simulator' and not exists (
    select from simulator_event e where e.partner_id = y.partner_id and e.key = y.id)
) pending
where id between $1 and $2

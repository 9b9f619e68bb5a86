-- The simulator's books of the same payments.
-- oldest-service: 0.2.0
-- backfill: processor_call by key, 500 rows
insert into simulator_call (partner_id, key, tenant_id, kind, amount_in_cents, state, created_at)
select partner_id, key, tenant_id, 'charge', amount_in_cents, 'processing', created_at
from (
  select c.* from processor_call c
  where c.processor = 'simulator' and c.state = 'processing' and not exists (
    select from simulator_call s where s.partner_id = c.partner_id and s.key = c.key)
) pending
where key between $1 and $2

-- The plans that were charged off: the report of losses reads them.
-- oldest-service: 0.2.0
-- no-transaction
create index concurrently plan_charged_off on plan (partner_id, id) where state = 'charged_off';

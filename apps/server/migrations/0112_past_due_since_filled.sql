-- The date of the plans that were past due before.
-- oldest-service: 0.2.0
-- backfill: plan by id, 500 rows
update plan p set past_due_since = (
  select min(i.due_date) from installment i
  where i.partner_id = p.partner_id and i.plan_id = p.id and i.state not in ('paid', 'canceled'))
where p.state = 'past_due' and p.id between $1 and $2

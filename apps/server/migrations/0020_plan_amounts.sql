-- What each installment was agreed at, and what the landlord's credits have taken off it since. A
-- canceled installment with credited_in_cents = agreed_in_cents was credited in full; any other one
-- of a charged-off plan is still owed.
alter table installment add column agreed_in_cents bigint check (agreed_in_cents > 0);
alter table installment add column credited_in_cents bigint not null default 0
  check (credited_in_cents >= 0);

-- Equal shares of the principal; the first has the remainder and the fee.
update installment i set agreed_in_cents = case when i.number = 1
    then p.principal_in_cents - n.later * (p.principal_in_cents / (n.later + 1)) + p.fee_in_cents
    else p.principal_in_cents / (n.later + 1) end
  from plan p, lateral (
    select count(*) - 1 as later from installment x where x.plan_id = p.id) n
  where p.id = i.plan_id;
update installment i set credited_in_cents = case
    when i.state <> 'canceled' then i.agreed_in_cents - i.amount_in_cents
    when p.state in ('active', 'past_due', 'completed') then i.agreed_in_cents
    else 0 end
  from plan p where p.id = i.plan_id and p.state not in ('canceled', 'charged_off');
-- Credits before a charge-off came off the last installments that were not paid by then.
update installment i set credited_in_cents = greatest(0, least(i.agreed_in_cents,
    c.credited - c.after))
  from (
    select x.id, coalesce(sum(x.agreed_in_cents) over (partition by x.plan_id order by x.number desc
        rows between unbounded preceding and 1 preceding), 0) as after,
      (select coalesce(sum(h.amount_in_cents), 0) from plan_history h
        where h.plan_id = p.id and h.kind = 'credited' and h.id < (
          select min(o.id) from plan_history o where o.plan_id = p.id and o.kind = 'charged_off'))
        as credited
    from installment x join plan p on p.id = x.plan_id
    where p.state = 'charged_off' and x.state = 'canceled') c
  where c.id = i.id;

alter table installment alter column agreed_in_cents set not null;
alter table installment add check (credited_in_cents <= agreed_in_cents);

-- "Rent" or "your share of the rent": as it was when the plan was made, whoever moves in later.
alter table plan add column shares_lease boolean not null default false;

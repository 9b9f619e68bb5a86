-- The payout that pays a settlement, or that paid it last. Null: the portal debits it separately.
-- oldest-service: 0.2.0
alter table settlement add column payout_id text;

-- A settlement is not debited beside its payout, also by a service before 0.3.0, which knows no payouts.
create function settlement_check_payout() returns trigger language plpgsql as $$
begin
  if new.payout_id is not null then
    if not exists (select from payout p where p.partner_id = new.partner_id and p.id = new.payout_id
        and p.status = case new.status when 'unverified' then 'sent' else 'paid' end) then
      raise exception 'settlement % is paid by %, which is not %', new.id, new.payout_id, new.status;
    end if;
  elsif old.status = 'unsettled'
    and exists (select from payout_setting s where s.partner_id = new.partner_id) then
    raise exception 'settlement % is paid by the next payout', new.id;
  end if;
  return new;
end $$;
create trigger settlement_follows_payout before update of status on settlement
  for each row when (old.status is distinct from new.status and new.status in ('unverified', 'verified'))
  execute function settlement_check_payout();

-- Finds the settlements of a payout.
-- oldest-service: 0.2.0
-- no-transaction
create index concurrently settlement_payout on settlement (partner_id, payout_id)
  where payout_id is not null;

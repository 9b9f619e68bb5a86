-- A refund that is deducted from a payout, instead of sent by the portal.
-- oldest-service: 0.2.0
alter table refund add column deducted boolean not null default false;

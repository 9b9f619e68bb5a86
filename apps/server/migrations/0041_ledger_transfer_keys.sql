-- The key of the first partition becomes that of all partitions, and the old key goes.
-- oldest-service: 0.2.0
-- contract: drops the foreign key and the check that others have replaced
alter table ledger_transfer_first
  drop constraint ledger_transfer_partner_id_reverses_id_fkey,
  drop constraint ledger_transfer_years;
alter table ledger_transfer add constraint ledger_transfer_reverses_fkey
  foreign key (partner_id, reverses_id) references ledger_transfer (partner_id, id);

-- A reversal names a transfer of any year.
-- oldest-service: 0.1.0
alter table ledger_transfer_first add constraint ledger_transfer_reverses_fkey
  foreign key (partner_id, reverses_id) references ledger_transfer (partner_id, id) not valid;

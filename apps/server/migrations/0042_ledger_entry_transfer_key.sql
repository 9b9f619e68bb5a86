-- An entry names a transfer of any year.
-- oldest-service: 0.2.0
alter table ledger_entry add constraint ledger_entry_transfer_fkey
  foreign key (partner_id, transfer_id) references ledger_transfer (partner_id, id) not valid;

-- The totals that were counted before lack the new columns. Closing a day counts each partner again.
-- oldest-service: 0.2.0
-- backfill: ledger_counted by partner_id, 500 rows
delete from ledger_counted where partner_id between $1 and $2

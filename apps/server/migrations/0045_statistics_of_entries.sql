-- Statistics of the partitioned entries.
-- oldest-service: 0.2.0
-- contract: takes nothing away, but reads a sample of the table, which may take longer than two seconds
analyze ledger_entry;

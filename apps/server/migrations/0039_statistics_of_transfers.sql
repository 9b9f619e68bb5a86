-- Statistics of the partitioned table, which the planner needs for joins and autovacuum never collects.
-- It takes no lock that others wait for.
-- oldest-service: 0.2.0
-- contract: takes nothing away, but reads a sample of the table, which may take longer than two seconds
analyze ledger_transfer;

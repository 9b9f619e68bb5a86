-- The ledger is partitioned by year: ledger_transfer by its ids, ledger_entry by those of its transfers,
-- because an id begins with the time of its creation (ids.ts). Today's tables become the first
-- partitions, without a rewrite. This constraint, once it is validated, lets PostgreSQL attach the table
-- without reading it. The first partition ends with the year that contains the day 60 days from now, so
-- that an upgrade in December has time. Later partitions are made by apps/server/src/jobs.
-- oldest-service: 0.2.0
do $$
declare
  years_end timestamptz := make_timestamptz(
    extract(year from clock_timestamp() at time zone 'UTC' + interval '60 days')::int + 1,
    1, 1, 0, 0, 0, 'UTC');
  ms bigint := extract(epoch from years_end)::bigint * 1000;
  id text := 'trf_';
begin
  -- The 10 characters of the time, 5 bits each.
  for place in reverse 9..0 loop
    id := id || substr('0123456789abcdefghjkmnpqrstvwxyz', ((ms >> (5 * place)) & 31)::int + 1, 1);
  end loop;
  execute format(
    'alter table ledger_transfer add constraint ledger_transfer_years check (id < %L) not valid', id);
end $$;

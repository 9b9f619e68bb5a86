-- First of six steps that partition messages and attempts by months of the message id, which begins
-- with its time. The old tables become the first partitions: nothing is copied. A table is attached
-- without a scan if a validated constraint proves which ids it holds.
--
-- The bound is the start of the month after next, so there are at least four weeks to apply all six
-- steps. Until then this constraint refuses nothing. After it, it would refuse new messages: do not
-- leave the steps half applied.
-- oldest-service: 0.2.0
do $$
declare
  alphabet constant text := '0123456789abcdefghjkmnpqrstvwxyz';
  month constant timestamp := date_trunc('month', clock_timestamp() at time zone 'UTC');
  rest bigint := extract(epoch from (month + interval '2 months') at time zone 'UTC') * 1000;
  bound text := '';
begin
  for place in 1..10 loop
    bound := substr(alphabet, (rest % 32)::int + 1, 1) || bound;
    rest := rest / 32;
  end loop;
  execute format(
    'alter table webhook_messages add constraint webhook_messages_bound check (id < %L) not valid',
    'evt_' || bound || repeat('0', 16));
end
$$;

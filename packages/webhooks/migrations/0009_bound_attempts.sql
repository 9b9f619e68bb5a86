-- The bound of webhook_messages, on the message ids of attempts.
-- oldest-service: 0.2.0
do $$
begin
  execute (
    select format(
      'alter table webhook_attempts add constraint webhook_attempts_bound check (message_id < %L) not valid',
      substring(pg_get_constraintdef(oid) from 'evt_[0-9a-z]{26}'))
    from pg_constraint
    where conrelid = 'webhook_messages'::regclass and conname = 'webhook_messages_bound');
end
$$;

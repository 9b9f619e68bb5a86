-- Reads the processor's events once, and blocks neither reads nor writes.
-- oldest-service: 0.2.0
-- no-transaction
alter table processor_event validate constraint processor_event_amount_check;

-- The dispute that moved the money; null for a return that no dispute of the processor explains.
-- oldest-service: 0.2.0
alter table processor_event add column dispute_ref text;

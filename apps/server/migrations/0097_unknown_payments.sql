-- Finds the charges and refunds whose outcome no one knows, for the work queue.
-- oldest-service: 0.2.0
-- no-transaction
create index concurrently processor_call_unknown on processor_call (created_at) where state = 'unknown';

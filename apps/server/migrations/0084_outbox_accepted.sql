-- When the destination last began to know the partner: the first message that it accepted. A Svix server
-- without an application of such a partner had it, and somebody deleted it there with its endpoints.
-- oldest-service: 0.2.0
alter table outbox_stream add column accepted_at timestamptz;

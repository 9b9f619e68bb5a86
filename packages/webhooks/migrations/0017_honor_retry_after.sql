-- Whether a failed response's Retry-After may lengthen the wait before the next attempt.
-- Release 0.2.0 ignores the column and keeps to the schedule.
-- oldest-service: 0.2.0
alter table webhook_endpoints add column honor_retry_after boolean not null default false;

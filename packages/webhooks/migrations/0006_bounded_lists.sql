-- Every list by endpoint, state, type or tenant reads a range of one index, newest first, so a page
-- costs the same however many messages are stored.
--
-- All of them end in the message's id, which sorts by time. That keeps them usable when the tables
-- are partitioned by ranges of that id: the primary keys already contain it, and PostgreSQL merges
-- the partitions' indexes in this order and stops when the page is full.

-- Each state of an endpoint's deliveries. The predicates exclude each other, so a row is in one of
-- the three indexes at a time and writing it costs no more than the single index they replace.
-- They ask for lease_until where a constraint makes it null together with node: the planner took
-- webhook_deliveries_open_due, of which "node is null" holds too, and sorted all that an endpoint has.
drop index webhook_deliveries_open_newest;
create index webhook_deliveries_open_pending on webhook_deliveries_open (endpoint_id, message_id)
  where lease_until is null and step = 0 and trigger = 'schedule';
create index webhook_deliveries_open_retrying on webhook_deliveries_open (endpoint_id, message_id)
  where lease_until is null and step > 0;
create index webhook_deliveries_open_leased on webhook_deliveries_open (endpoint_id, message_id)
  where lease_until is not null;

drop index webhook_deliveries_undelivered_by_endpoint;
create index webhook_deliveries_undelivered_by_state
  on webhook_deliveries_undelivered (endpoint_id, state, message_id);

-- A delivered message is known by its successful attempt. Two partial indexes instead of one with
-- the outcome: an attempt is in one of them, and the entry is shorter.
create index webhook_attempts_succeeded on webhook_attempts (endpoint_id, message_id)
  where error_class is null and trigger <> 'test';
create index webhook_attempts_failed on webhook_attempts (endpoint_id, message_id)
  where error_class is not null and trigger <> 'test';

create index webhook_messages_by_type on webhook_messages (owner, type, id) where not test;

-- The feed leaves out expunged messages; without the condition a reader steps over all of them.
drop index webhook_messages_feed;
create index webhook_messages_feed on webhook_messages (owner, inserted_by, sequence)
  where not test and expunged_at is null;

create index webhook_replays_by_endpoint on webhook_replays (owner, endpoint_id, id);

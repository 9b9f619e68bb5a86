-- Lets a person decide an application: who has taken it, and since when. Both or neither is null.
-- oldest-service: 0.2.0
alter table review add column taken_by text, add column taken_at timestamptz;

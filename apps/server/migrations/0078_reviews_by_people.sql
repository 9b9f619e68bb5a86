-- Stores who has taken an application for review, and when. Both are null until someone takes it.
-- oldest-service: 0.2.0
alter table review add column taken_by text, add column taken_at timestamptz;

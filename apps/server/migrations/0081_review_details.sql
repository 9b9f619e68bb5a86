-- Keeps the sources of an answer "in_review", sealed, for the notice in case a person declines.
-- oldest-service: 0.2.0
alter table review add column details_sealed bytea;

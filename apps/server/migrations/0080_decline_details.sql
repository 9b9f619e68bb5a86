-- Stores what a decline was based on, sealed: reasons in the decision service's words, consumer reporting
-- agencies, scores.
-- oldest-service: 0.2.0
alter table decision add column details_sealed bytea;

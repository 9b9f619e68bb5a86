-- The digits of the applicant's Social Security number, sealed, until the application is decided or ends.
-- oldest-service: 0.2.0
alter table application add column ssn_sealed bytea;

-- Keeps when a tenant gets paid, encrypted, so that the payments of the next plan are on paydays, too.
-- oldest-service: 0.2.0
alter table tenant add column paydays_sealed bytea;

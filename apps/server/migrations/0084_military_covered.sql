-- Whether the Military Lending Act covers the applicant; null if it was not looked up.
-- oldest-service: 0.2.0
alter table application add column military_covered boolean;

-- A partner names its keys and rotates them: the old key is valid until expires_at. A lane then sets
-- revoked_at, so that services before 0.3.0 refuse the key, too.
-- oldest-service: 0.2.0
alter table api_key add column name text, add column expires_at timestamptz;

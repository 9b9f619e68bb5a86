-- Names, e-mail addresses and phone numbers are encrypted with a key of their tenant:
--   key_sealed  the tenant's key, sealed by the vault (SVC_SECRET_KEY). Null: none yet, or erased.
--   personal    the personal data as JSON, sealed with the tenant's key.
--   email_hmac  HMAC of the e-mail address with the tenant's key, to tell whether a mail's link was
--               made for the current address.
--   erased_at   when "svc-admin tenant erase" destroyed the key.
-- While services before 0.3.0 may run, first_name, last_name, email and phone_number hold the same in
-- clear text and win over `personal`, because those services write them only. "svc-admin tenant seal" ends
-- that: see apps/server/src/operator/seal-personal-data.ts.
-- oldest-service: 0.2.0
alter table tenant
  add column key_sealed bytea,
  add column personal bytea,
  add column email_hmac bytea,
  add column erased_at timestamptz;

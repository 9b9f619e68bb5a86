-- Lets people sign in to the operator's console with their accounts at the company's OpenID Connect provider.
-- oldest-service: 0.2.0
create table operator_account (
  operator_id text primary key references operator (id),
  email text not null,
  -- The provider's name for the account. Null until the first sign-in.
  issuer text,
  subject text,
  check ((issuer is null) = (subject is null))
);
create unique index operator_account_email on operator_account (lower(email));
create unique index operator_account_subject on operator_account (issuer, subject);
-- Visits to the provider that have not come back.
create table operator_visit (
  state_sha256 bytea primary key,
  -- Of the cookie in the browser that has to come back.
  browser_sha256 bytea not null,
  -- The session whose person proves who they are. Null for a sign-in.
  session_id text references operator_session (id),
  return_to text not null,
  expires_at timestamptz not null
);

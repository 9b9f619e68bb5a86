-- Who changed what from where, when a key was last used, and what a link in a mail may do.

-- The command line writes entries too. Its credential is the operating system's user.
alter table audit_entry drop constraint audit_entry_via_check;
alter table audit_entry add constraint audit_entry_via_check check (via in ('key', 'portal', 'cli'));
-- The client's address; null for the command line and for entries from before this column.
alter table audit_entry add address text;

-- Wall time, written at most every ten minutes.
alter table api_key add last_used_at timestamptz;

-- The address a mail's link was sent to. The link and its session end when the portal reports
-- another one. Links from before this column are refused; each lived for four days at most.
alter table tenant_token add email_sha256 bytea check (octet_length(email_sha256) = 32);
-- Wrong answers to the questions that a session from a mail must answer before it may pay.
alter table tenant_token add failed_tries integer not null default 0
  check (failed_tries between 0 and 5);
-- When those questions were answered. Until then the session may only look.
alter table experience_session add confirmed_at timestamptz;

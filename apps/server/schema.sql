create table ach_entry (
  partner_id text not null,
  key text not null,
  tenant_id text not null,
  number bigint not null generated always as identity,
  kind text not null,
  payment_method_id text not null,
  of_key text,
  amount_in_cents bigint not null,
  occasion text not null,
  state text not null,
  write_at timestamp with time zone not null,
  file_id text,
  effective_on date,
  settles_at timestamp with time zone,
  settled_at timestamp with time zone,
  returned_at timestamp with time zone,
  return_code text,
  created_at timestamp with time zone not null,
  booked_at timestamp with time zone,
  constraint ach_entry_pkey PRIMARY KEY (partner_id, key),
  constraint ach_entry_number_key UNIQUE (number),
  constraint ach_entry_file_id_fkey FOREIGN KEY (file_id) REFERENCES ach_file(id),
  constraint ach_entry_partner_id_payment_method_id_fkey FOREIGN KEY (partner_id, payment_method_id) REFERENCES payment_method(partner_id, id),
  constraint ach_entry_partner_id_tenant_id_fkey FOREIGN KEY (partner_id, tenant_id) REFERENCES tenant(partner_id, id),
  constraint ach_entry_amount_in_cents_check CHECK ((amount_in_cents >= 0)),
  constraint ach_entry_check CHECK (((kind = 'prenote'::text) = (amount_in_cents = 0))),
  constraint ach_entry_check1 CHECK (((kind = 'credit'::text) = (of_key IS NOT NULL))),
  constraint ach_entry_check2 CHECK (((state = ANY (ARRAY['failed'::text, 'returned'::text])) = (returned_at IS NOT NULL))),
  constraint ach_entry_check3 CHECK (((return_code IS NULL) = (returned_at IS NULL))),
  constraint ach_entry_check4 CHECK (((state = ANY (ARRAY['settled'::text, 'returned'::text])) <= (settled_at IS NOT NULL))),
  constraint ach_entry_check5 CHECK (((state = 'sent'::text) <= ((file_id IS NOT NULL) AND (effective_on IS NOT NULL) AND (settles_at IS NOT NULL)))),
  constraint ach_entry_kind_check CHECK ((kind = ANY (ARRAY['debit'::text, 'credit'::text, 'prenote'::text]))),
  constraint ach_entry_occasion_check CHECK ((occasion = ANY (ARRAY['single'::text, 'recurring'::text, 'retry'::text]))),
  constraint ach_entry_state_check CHECK ((state = ANY (ARRAY['waiting'::text, 'sent'::text, 'settled'::text, 'failed'::text, 'returned'::text])))
);
CREATE INDEX ach_entry_file ON public.ach_entry USING btree (file_id) WHERE (file_id IS NOT NULL);
CREATE INDEX ach_entry_method ON public.ach_entry USING btree (partner_id, payment_method_id);
CREATE INDEX ach_entry_of ON public.ach_entry USING btree (partner_id, of_key) WHERE (of_key IS NOT NULL);
CREATE INDEX ach_entry_returned ON public.ach_entry USING btree (returned_at) WHERE (returned_at IS NOT NULL);
CREATE INDEX ach_entry_sent ON public.ach_entry USING btree (settles_at) WHERE (state = 'sent'::text);
CREATE INDEX ach_entry_settled ON public.ach_entry USING btree (settled_at) WHERE (settled_at IS NOT NULL);
CREATE INDEX ach_entry_trace ON public.ach_entry USING btree (((number % (10000000)::bigint))) WHERE (file_id IS NOT NULL);
CREATE INDEX ach_entry_unbooked ON public.ach_entry USING btree (effective_on) WHERE ((booked_at IS NULL) AND (file_id IS NOT NULL) AND (kind <> 'prenote'::text));
CREATE INDEX ach_entry_waiting ON public.ach_entry USING btree (write_at) WHERE (state = 'waiting'::text);

create table ach_exception (
  file_id text not null,
  number integer not null,
  line integer not null,
  reason text not null,
  trace_number integer,
  created_at timestamp with time zone not null,
  resolved_at timestamp with time zone,
  constraint ach_exception_pkey PRIMARY KEY (file_id, number),
  constraint ach_exception_file_id_fkey FOREIGN KEY (file_id) REFERENCES ach_file(id)
);
CREATE INDEX ach_exception_open ON public.ach_exception USING btree (trace_number) WHERE (resolved_at IS NULL);

create table ach_file (
  id text not null,
  direction text not null,
  name text not null,
  state text not null,
  created_on date,
  modifier text,
  staged_as text,
  entries integer not null,
  sha256 bytea,
  reason text,
  created_at timestamp with time zone not null,
  changed_at timestamp with time zone not null,
  constraint ach_file_pkey PRIMARY KEY (id),
  constraint ach_file_created_on_modifier_key UNIQUE (created_on, modifier),
  constraint ach_file_check CHECK (((direction = 'out'::text) = (state = ANY (ARRAY['assembled'::text, 'staged'::text, 'sent'::text, 'acknowledged'::text, 'refused'::text])))),
  constraint ach_file_check1 CHECK (((direction = 'out'::text) = ((created_on IS NOT NULL) AND (modifier IS NOT NULL)))),
  constraint ach_file_check2 CHECK (((direction = 'in'::text) = (sha256 IS NOT NULL))),
  constraint ach_file_check3 CHECK (((state <> 'rejected'::text) OR (reason IS NOT NULL))),
  constraint ach_file_direction_check CHECK ((direction = ANY (ARRAY['out'::text, 'in'::text]))),
  constraint ach_file_id_check CHECK ((id ~~ 'ach\_%'::text)),
  constraint ach_file_sha256_check CHECK ((octet_length(sha256) = 32)),
  constraint ach_file_state_check CHECK ((state = ANY (ARRAY['assembled'::text, 'staged'::text, 'sent'::text, 'acknowledged'::text, 'refused'::text, 'read'::text, 'rejected'::text, 'dismissed'::text])))
);
CREATE INDEX ach_file_created ON public.ach_file USING btree (created_at);
CREATE UNIQUE INDEX ach_file_name ON public.ach_file USING btree (name) WHERE (direction = 'out'::text);
CREATE INDEX ach_file_open ON public.ach_file USING btree (state) WHERE (state = ANY (ARRAY['assembled'::text, 'staged'::text, 'rejected'::text]));
CREATE UNIQUE INDEX ach_file_read ON public.ach_file USING btree (sha256) WHERE (state = 'read'::text);

create table api_key (
  id text not null,
  partner_id text not null,
  secret_sha256 bytea not null,
  secret_sealed bytea not null,
  created_at timestamp with time zone not null,
  revoked_at timestamp with time zone,
  ends_with text,
  last_used_at timestamp with time zone,
  name text,
  expires_at timestamp with time zone,
  link_sha256 bytea,
  link_expires_at timestamp with time zone,
  link_opened_at timestamp with time zone,
  scopes text[] not null default ARRAY['everything'::text],
  constraint api_key_pkey PRIMARY KEY (partner_id, id),
  constraint api_key_secret_sha256_key UNIQUE (secret_sha256),
  constraint api_key_partner_id_fkey FOREIGN KEY (partner_id) REFERENCES partner(id),
  constraint api_key_ends_with_check CHECK ((ends_with ~ '^[0-9A-Za-z]{4}$'::text)),
  constraint api_key_id_check CHECK ((id ~~ 'key\_%'::text)),
  constraint api_key_secret_sha256_check CHECK ((octet_length(secret_sha256) = 32))
);
CREATE INDEX api_key_link ON public.api_key USING btree (link_sha256) WHERE (link_sha256 IS NOT NULL);
CREATE INDEX api_key_live ON public.api_key USING btree (partner_id) WHERE (revoked_at IS NULL);

create table application (
  id text not null,
  partner_id text not null,
  tenant_id text not null,
  product_variant text not null,
  rent_cycle_date date not null,
  state text not null,
  date_of_birth_sealed bytea not null,
  monthly_income_in_cents bigint not null,
  amount_in_cents bigint not null,
  approved_amount_in_cents bigint,
  expires_at timestamp with time zone not null,
  reapply_after date,
  submitted_at timestamp with time zone not null,
  decided_at timestamp with time zone,
  version integer not null default 1,
  created_at timestamp with time zone not null,
  military_covered boolean,
  ssn_sealed bytea,
  constraint application_pkey PRIMARY KEY (partner_id, id),
  constraint application_partner_id_tenant_id_fkey FOREIGN KEY (partner_id, tenant_id) REFERENCES tenant(partner_id, id),
  constraint application_check CHECK (((state = 'approved'::text) <= (approved_amount_in_cents IS NOT NULL))),
  constraint application_check1 CHECK (((state = 'declined'::text) <= (reapply_after IS NOT NULL))),
  constraint application_id_check CHECK ((id ~~ 'app\_%'::text)),
  constraint application_monthly_income_in_cents_check CHECK ((monthly_income_in_cents >= 0)),
  constraint application_product_variant_check CHECK ((product_variant = ANY (ARRAY['rent'::text, 'hoa'::text]))),
  constraint application_state_check CHECK ((state = ANY (ARRAY['started'::text, 'submitted'::text, 'in_review'::text, 'approved'::text, 'declined'::text, 'expired'::text, 'withdrawn'::text])))
);
CREATE INDEX application_expiry ON public.application USING btree (expires_at) WHERE (state = ANY (ARRAY['submitted'::text, 'in_review'::text, 'approved'::text]));
CREATE UNIQUE INDEX application_open ON public.application USING btree (partner_id, tenant_id) WHERE (state = ANY (ARRAY['started'::text, 'submitted'::text, 'in_review'::text, 'approved'::text]));
CREATE INDEX application_tenant ON public.application USING btree (partner_id, tenant_id, created_at DESC);

create table application_flag (
  partner_id text not null,
  application_id text not null,
  tenant_id text not null,
  reasons text[] not null,
  found_at timestamp with time zone not null,
  constraint application_flag_pkey PRIMARY KEY (partner_id, application_id),
  constraint application_flag_partner_id_application_id_fkey FOREIGN KEY (partner_id, application_id) REFERENCES application(partner_id, id),
  constraint application_flag_partner_id_tenant_id_fkey FOREIGN KEY (partner_id, tenant_id) REFERENCES tenant(partner_id, id),
  constraint application_flag_reasons_check CHECK ((cardinality(reasons) > 0))
);
CREATE INDEX application_flag_tenant ON public.application_flag USING btree (partner_id, tenant_id);

create table approval (
  id text not null,
  request json not null,
  request_sha256 bytea not null,
  key text,
  facts jsonb not null,
  requested_by text not null,
  requested_role text not null,
  operator_id text,
  reason text not null,
  requested_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  state text not null,
  decided_by text,
  decided_at timestamp with time zone,
  answer text,
  constraint approval_pkey PRIMARY KEY (id),
  constraint approval_operator_id_fkey FOREIGN KEY (operator_id) REFERENCES operator(id),
  constraint approval_check CHECK (((state = 'open'::text) = (decided_by IS NULL))),
  constraint approval_check1 CHECK (((state = 'open'::text) = (decided_at IS NULL))),
  constraint approval_check2 CHECK (((state <> 'done'::text) OR (decided_by <> requested_by))),
  constraint approval_state_check CHECK ((state = ANY (ARRAY['open'::text, 'running'::text, 'done'::text, 'refused'::text, 'bypassed'::text])))
);
CREATE INDEX approval_newest ON public.approval USING btree (requested_at);
CREATE UNIQUE INDEX approval_open ON public.approval USING btree (requested_by, request_sha256) WHERE (state = 'open'::text);

create table audit_entry (
  id text not null,
  partner_id text not null,
  action text not null,
  via text not null,
  credential_id text not null,
  endpoint_id text,
  subject_id text,
  details jsonb not null,
  request_id text not null,
  occurred_at timestamp with time zone not null,
  address text,
  constraint audit_entry_pkey PRIMARY KEY (partner_id, id),
  constraint audit_entry_action_check CHECK ((action ~ '^[a-z]+\.[a-z_]+$'::text)),
  constraint audit_entry_details_check CHECK ((jsonb_typeof(details) = 'object'::text)),
  constraint audit_entry_id_check CHECK ((id ~~ 'aud\_%'::text)),
  constraint audit_entry_partner_check CHECK (((partner_id = 'operator'::text) OR (partner_id ~~ 'ptn\_%'::text))),
  constraint audit_entry_via_check CHECK ((via = ANY (ARRAY['key'::text, 'portal'::text, 'cli'::text, 'bank'::text, 'operator'::text])))
);
CREATE INDEX audit_entry_age ON public.audit_entry USING btree (occurred_at);
CREATE INDEX audit_entry_credential ON public.audit_entry USING btree (partner_id, credential_id, id DESC);
CREATE INDEX audit_entry_endpoint ON public.audit_entry USING btree (partner_id, endpoint_id, id DESC);
CREATE INDEX audit_entry_group ON public.audit_entry USING btree (partner_id, split_part(action, '.'::text, 1), id DESC);
CREATE INDEX audit_entry_subject ON public.audit_entry USING btree (partner_id, subject_id, id) WHERE (subject_id IS NOT NULL);
CREATE INDEX audit_entry_tenant ON public.audit_entry USING btree (partner_id, ((details ->> 'external_id'::text)), id) WHERE (details ? 'external_id'::text);
CREATE TRIGGER audit_entry_added AFTER INSERT ON public.audit_entry REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION audit_note_unsealed();
CREATE TRIGGER audit_entry_append_only BEFORE DELETE OR UPDATE ON public.audit_entry FOR EACH ROW EXECUTE FUNCTION audit_refuse_change();
CREATE TRIGGER audit_entry_no_truncate BEFORE TRUNCATE ON public.audit_entry FOR EACH STATEMENT EXECUTE FUNCTION audit_seal_refuse_change();

create table audit_seal (
  partner_id text not null,
  number bigint not null,
  entry_ids text[] not null,
  entry_sha256s text[] not null,
  previous_sha256 bytea not null,
  sha256 bytea not null,
  mac bytea not null,
  sealed_at timestamp with time zone not null,
  constraint audit_seal_pkey PRIMARY KEY (partner_id, number),
  constraint audit_seal_check CHECK ((cardinality(entry_sha256s) = cardinality(entry_ids))),
  constraint audit_seal_mac_check CHECK ((octet_length(mac) = 32)),
  constraint audit_seal_number_check CHECK ((number >= 1)),
  constraint audit_seal_previous_sha256_check CHECK ((octet_length(previous_sha256) = 32)),
  constraint audit_seal_sha256_check CHECK ((octet_length(sha256) = 32))
);
CREATE TRIGGER audit_seal_append_only BEFORE DELETE OR UPDATE ON public.audit_seal FOR EACH ROW EXECUTE FUNCTION audit_seal_refuse_change();
CREATE TRIGGER audit_seal_no_truncate BEFORE TRUNCATE ON public.audit_seal FOR EACH STATEMENT EXECUTE FUNCTION audit_seal_refuse_change();

create table audit_unsealed (
  partner_id text not null,
  entry_id text not null,
  constraint audit_unsealed_pkey PRIMARY KEY (partner_id, entry_id)
);

create table bank_account (
  id text not null,
  name text not null,
  currency text not null,
  account_last4 text not null,
  ledger_account text not null,
  starts_on date not null,
  created_at timestamp with time zone not null,
  constraint bank_account_pkey PRIMARY KEY (id),
  constraint bank_account_name_key UNIQUE (name),
  constraint bank_account_currency_check CHECK ((currency ~ '^[A-Z]{3}$'::text)),
  constraint bank_account_id_check CHECK ((id ~~ 'bac\_%'::text)),
  constraint bank_account_ledger_account_check CHECK ((ledger_account = ANY (ARRAY['cash'::text, 'processor_clearing'::text])))
);

create table bank_line (
  id text not null,
  bank_account_id text not null,
  statement_id text not null,
  number integer not null,
  kind text not null,
  booked_on date not null,
  amount_in_cents bigint not null,
  reference text not null,
  description text not null,
  match_id text,
  constraint bank_line_pkey PRIMARY KEY (id),
  constraint bank_line_statement_id_number_key UNIQUE (statement_id, number),
  constraint bank_line_bank_account_id_fkey FOREIGN KEY (bank_account_id) REFERENCES bank_account(id),
  constraint bank_line_match_id_fkey FOREIGN KEY (match_id) REFERENCES book_match(id),
  constraint bank_line_statement_id_fkey FOREIGN KEY (statement_id) REFERENCES bank_statement(id),
  constraint bank_line_amount_in_cents_check CHECK ((amount_in_cents <> 0)),
  constraint bank_line_id_check CHECK ((id ~~ 'bln\_%'::text))
);
CREATE INDEX bank_line_match ON public.bank_line USING btree (match_id) WHERE (match_id IS NOT NULL);
CREATE INDEX bank_line_open ON public.bank_line USING btree (bank_account_id) WHERE (match_id IS NULL);
CREATE INDEX bank_line_reference ON public.bank_line USING btree (reference) WHERE (reference <> ''::text);
CREATE TRIGGER bank_line_no_delete BEFORE DELETE ON public.bank_line FOR EACH ROW EXECUTE FUNCTION books_check_line_removal();
CREATE TRIGGER bank_line_no_edit BEFORE UPDATE OF id, bank_account_id, statement_id, number, kind, booked_on, amount_in_cents, reference, description ON public.bank_line FOR EACH ROW EXECUTE FUNCTION books_refuse_change();

create table bank_statement (
  id text not null,
  bank_account_id text not null,
  from_day date not null,
  to_day date not null,
  opening_in_cents bigint not null,
  closing_in_cents bigint not null,
  lines integer not null,
  format text not null,
  sha256 bytea not null,
  imported_at timestamp with time zone not null,
  imported_by text not null,
  constraint bank_statement_pkey PRIMARY KEY (id),
  constraint bank_statement_bank_account_id_from_day_key UNIQUE (bank_account_id, from_day),
  constraint bank_statement_bank_account_id_to_day_key UNIQUE (bank_account_id, to_day),
  constraint bank_statement_bank_account_id_fkey FOREIGN KEY (bank_account_id) REFERENCES bank_account(id),
  constraint bank_statement_check CHECK ((to_day >= from_day)),
  constraint bank_statement_id_check CHECK ((id ~~ 'bst\_%'::text)),
  constraint bank_statement_sha256_check CHECK ((octet_length(sha256) = 32))
);
CREATE TRIGGER bank_statement_no_delete BEFORE DELETE ON public.bank_statement FOR EACH ROW EXECUTE FUNCTION books_check_statement_removal();
CREATE TRIGGER bank_statement_no_edit BEFORE UPDATE ON public.bank_statement FOR EACH ROW EXECUTE FUNCTION books_refuse_change();

create table book_cut (
  partner_id text not null,
  seal_number bigint not null,
  constraint book_cut_pkey PRIMARY KEY (partner_id),
  constraint book_cut_partner_id_fkey FOREIGN KEY (partner_id) REFERENCES partner(id),
  constraint book_cut_seal_number_check CHECK ((seal_number >= 0))
);

create table book_item (
  partner_id text not null,
  transfer_id text not null,
  account_id text not null,
  ledger_account text not null,
  kind text not null,
  amount_in_cents bigint not null,
  day date not null,
  reference text not null,
  posted_at timestamp with time zone not null,
  after_close date,
  match_id text,
  constraint book_item_pkey PRIMARY KEY (partner_id, transfer_id, account_id),
  constraint book_item_match_id_fkey FOREIGN KEY (match_id) REFERENCES book_match(id),
  constraint book_item_partner_id_fkey FOREIGN KEY (partner_id) REFERENCES partner(id),
  constraint book_item_partner_id_transfer_id_account_id_fkey FOREIGN KEY (partner_id, transfer_id, account_id) REFERENCES ledger_entry(partner_id, transfer_id, account_id),
  constraint book_item_amount_in_cents_check CHECK ((amount_in_cents <> 0))
);
CREATE INDEX book_item_after_close ON public.book_item USING btree (after_close) WHERE (after_close IS NOT NULL);
CREATE INDEX book_item_day ON public.book_item USING btree (day);
CREATE INDEX book_item_match ON public.book_item USING btree (match_id) WHERE (match_id IS NOT NULL);
CREATE INDEX book_item_open ON public.book_item USING btree (ledger_account) WHERE (match_id IS NULL);
CREATE INDEX book_item_reference ON public.book_item USING btree (reference);
CREATE TRIGGER book_item_keeps_reference BEFORE UPDATE OF reference ON public.book_item FOR EACH ROW WHEN ((old.match_id IS NOT NULL)) EXECUTE FUNCTION books_refuse_change();
CREATE TRIGGER book_item_no_delete BEFORE DELETE ON public.book_item FOR EACH ROW EXECUTE FUNCTION books_refuse_change();
CREATE TRIGGER book_item_no_edit BEFORE UPDATE OF partner_id, transfer_id, account_id, ledger_account, kind, amount_in_cents, day, posted_at, after_close ON public.book_item FOR EACH ROW EXECUTE FUNCTION books_refuse_change();

create table book_match (
  id text not null,
  bank_account_id text not null,
  rule text not null,
  reason text not null,
  matched_at timestamp with time zone not null,
  matched_by text not null,
  closed_by bigint,
  constraint book_match_pkey PRIMARY KEY (id),
  constraint book_match_bank_account_id_fkey FOREIGN KEY (bank_account_id) REFERENCES bank_account(id),
  constraint book_match_id_check CHECK ((id ~~ 'mat\_%'::text)),
  constraint book_match_rule_check CHECK ((rule = ANY (ARRAY['reference'::text, 'same_reference'::text, 'amount'::text, 'batch'::text, 'manual'::text, 'adjustment'::text])))
);
CREATE INDEX book_match_closed ON public.book_match USING btree (closed_by) WHERE (closed_by IS NOT NULL);
CREATE INDEX book_match_open ON public.book_match USING btree (matched_at) WHERE (closed_by IS NULL);

create table book_owner (
  item text not null,
  owner text not null,
  assigned_at timestamp with time zone not null,
  assigned_by text not null,
  constraint book_owner_pkey PRIMARY KEY (item)
);

create table book_seal (
  number bigint not null,
  action text not null,
  day date,
  content text not null,
  previous_sha256 bytea not null,
  sha256 bytea not null,
  mac bytea not null,
  sealed_at timestamp with time zone not null,
  constraint book_seal_pkey PRIMARY KEY (number),
  constraint book_seal_action_check CHECK ((action = ANY (ARRAY['close'::text, 'reopen'::text, 'sign'::text]))),
  constraint book_seal_check CHECK (((day IS NULL) = (action = 'sign'::text))),
  constraint book_seal_mac_check CHECK ((octet_length(mac) = 32)),
  constraint book_seal_number_check CHECK ((number >= 1)),
  constraint book_seal_previous_sha256_check CHECK ((octet_length(previous_sha256) = 32)),
  constraint book_seal_sha256_check CHECK ((octet_length(sha256) = 32))
);
CREATE INDEX book_seal_day ON public.book_seal USING btree (day);
CREATE TRIGGER book_seal_append_only BEFORE DELETE OR UPDATE ON public.book_seal FOR EACH ROW EXECUTE FUNCTION books_refuse_change();

create table bounced_address (
  partner_id text not null,
  tenant_id text not null,
  email_hmac bytea not null,
  reason text not null,
  bounced_at timestamp with time zone not null,
  constraint bounced_address_pkey PRIMARY KEY (partner_id, tenant_id),
  constraint bounced_address_partner_id_tenant_id_fkey FOREIGN KEY (partner_id, tenant_id) REFERENCES tenant(partner_id, id),
  constraint bounced_address_email_hmac_check CHECK ((octet_length(email_hmac) = 32))
);

create table certification (
  partner_id text not null,
  id text not null,
  state text not null,
  endpoint_id text not null,
  endpoint_url text not null,
  tenant_query_url text,
  product_variant text not null,
  anyway boolean not null,
  service_version text not null,
  created_at timestamp with time zone not null,
  last_step_at timestamp with time zone not null,
  finished_at timestamp with time zone,
  verdict text,
  running_case text,
  running_since timestamp with time zone,
  attempt integer not null default 0,
  signed_payload text,
  signature text,
  signing_key_id text,
  tenants text[] not null default '{}'::text[],
  refused_settlement_id text,
  refused_until timestamp with time zone,
  constraint certification_pkey PRIMARY KEY (partner_id, id),
  constraint certification_product_variant_check CHECK ((product_variant = ANY (ARRAY['rent'::text, 'hoa'::text]))),
  constraint certification_state_check CHECK ((state = ANY (ARRAY['running'::text, 'passed'::text, 'incomplete'::text, 'failed'::text, 'abandoned'::text])))
);
CREATE UNIQUE INDEX certification_running ON public.certification USING btree (partner_id) WHERE (state = 'running'::text);

create table certification_case (
  partner_id text not null,
  certification_id text not null,
  name text not null,
  status text not null,
  summary text not null,
  cause text,
  fix text,
  docs text,
  steps jsonb not null,
  tenants text[] not null,
  ran_at timestamp with time zone not null,
  duration_ms integer,
  reported_by text not null,
  constraint certification_case_pkey PRIMARY KEY (partner_id, certification_id, name),
  constraint certification_case_partner_id_certification_id_fkey FOREIGN KEY (partner_id, certification_id) REFERENCES certification(partner_id, id) ON DELETE CASCADE,
  constraint certification_case_reported_by_check CHECK ((reported_by = ANY (ARRAY['service'::text, 'cli'::text]))),
  constraint certification_case_status_check CHECK ((status = ANY (ARRAY['pass'::text, 'warn'::text, 'fail'::text, 'skipped'::text])))
);

create table charge (
  tenant_id text not null,
  id text collate "C" not null,
  "position" integer not null,
  type text not null,
  description text,
  due_date date not null,
  amount_in_cents bigint not null,
  amount_paid_in_cents bigint not null,
  partner_id text not null,
  constraint charge_pkey PRIMARY KEY (partner_id, tenant_id, id),
  constraint charge_partner_id_tenant_id_fkey FOREIGN KEY (partner_id, tenant_id) REFERENCES tenant(partner_id, id),
  constraint charge_amount_in_cents_check CHECK (((amount_in_cents >= '-100000000'::integer) AND (amount_in_cents <= 100000000))),
  constraint charge_check CHECK (((amount_paid_in_cents >= 0) AND (amount_paid_in_cents <= GREATEST(amount_in_cents, (0)::bigint)))),
  constraint charge_type_check CHECK ((type = ANY (ARRAY['rent'::text, 'utility'::text, 'fee'::text, 'late_fee'::text, 'security_deposit'::text, 'credit'::text, 'hoa_dues'::text, 'hoa_assessment'::text, 'other'::text])))
);

create table collection_hold (
  partner_id text not null,
  tenant_id text not null,
  held boolean not null,
  resumed_on date,
  constraint collection_hold_pkey PRIMARY KEY (partner_id, tenant_id),
  constraint collection_hold_partner_id_tenant_id_fkey FOREIGN KEY (partner_id, tenant_id) REFERENCES tenant(partner_id, id)
);
CREATE INDEX collection_hold_held ON public.collection_hold USING btree (partner_id) WHERE held;

create table collection_pause (
  partner_id text not null,
  scope text not null,
  subject text not null,
  started_at timestamp with time zone not null,
  started_by text not null,
  reason text not null,
  constraint collection_pause_pkey PRIMARY KEY (partner_id, scope, subject),
  constraint collection_pause_partner_id_fkey FOREIGN KEY (partner_id) REFERENCES partner(id),
  constraint collection_pause_check CHECK (((subject = ''::text) = (scope = 'partner'::text))),
  constraint collection_pause_scope_check CHECK ((scope = ANY (ARRAY['partner'::text, 'property'::text, 'tenant'::text])))
);

create table custom_event (
  partner_id text not null,
  event_id text collate "C" not null,
  message_id text not null,
  digest bytea not null,
  created_at timestamp with time zone not null,
  constraint custom_event_pkey PRIMARY KEY (partner_id, event_id),
  constraint custom_event_partner_id_fkey FOREIGN KEY (partner_id) REFERENCES partner(id),
  constraint custom_event_digest_check CHECK ((octet_length(digest) = 32)),
  constraint custom_event_event_id_check CHECK ((event_id ~ '^[A-Za-z0-9_.:-]{1,255}$'::text))
);
CREATE INDEX custom_event_created ON public.custom_event USING btree (created_at);

create table decision (
  id text not null,
  application_id text not null,
  outcome text not null,
  reasons text[] not null,
  policy_version text not null,
  facts jsonb not null,
  simulated boolean not null,
  decided_at timestamp with time zone not null,
  created_at timestamp with time zone not null,
  partner_id text not null,
  details_sealed bytea,
  constraint decision_pkey PRIMARY KEY (partner_id, id),
  constraint decision_partner_id_application_id_fkey FOREIGN KEY (partner_id, application_id) REFERENCES application(partner_id, id),
  constraint decision_id_check CHECK ((id ~~ 'dec\_%'::text)),
  constraint decision_outcome_check CHECK ((outcome = ANY (ARRAY['approved'::text, 'declined'::text])))
);
CREATE INDEX decision_application ON public.decision USING btree (partner_id, application_id);

create table deposit (
  id text not null,
  partner_id text not null,
  deposited_on date not null,
  processor_deposit_id text not null,
  expected_in_cents bigint not null,
  amount_in_cents bigint not null,
  created_at timestamp with time zone not null,
  constraint deposit_pkey PRIMARY KEY (partner_id, id),
  constraint deposit_partner_id_processor_deposit_id_key UNIQUE (partner_id, processor_deposit_id),
  constraint deposit_partner_id_fkey FOREIGN KEY (partner_id) REFERENCES partner(id),
  constraint deposit_id_check CHECK ((id ~~ 'dep\_%'::text))
);
CREATE INDEX deposit_partner ON public.deposit USING btree (partner_id, created_at);

create table dispute (
  partner_id text not null,
  processor text not null,
  ref text not null,
  tenant_id text not null,
  payment_id text not null,
  status text not null,
  amount_in_cents bigint not null,
  return_code text not null,
  answer_by timestamp with time zone,
  reported_at timestamp with time zone not null,
  created_at timestamp with time zone not null,
  constraint dispute_pkey PRIMARY KEY (partner_id, processor, ref),
  constraint dispute_partner_id_payment_id_fkey FOREIGN KEY (partner_id, payment_id) REFERENCES payment(partner_id, id),
  constraint dispute_partner_id_tenant_id_fkey FOREIGN KEY (partner_id, tenant_id) REFERENCES tenant(partner_id, id),
  constraint dispute_amount_in_cents_check CHECK ((amount_in_cents >= 0)),
  constraint dispute_status_check CHECK ((status = ANY (ARRAY['inquiry'::text, 'needs_answer'::text, 'under_review'::text, 'won'::text, 'lost'::text, 'closed'::text])))
);
CREATE INDEX dispute_payment ON public.dispute USING btree (partner_id, payment_id);
CREATE INDEX dispute_tenant ON public.dispute USING btree (partner_id, tenant_id);

create table electronic_records (
  partner_id text not null,
  id text not null,
  tenant_id text not null,
  agreed boolean not null,
  consent_text text,
  consent_version text,
  locale text,
  decided_at timestamp with time zone not null,
  constraint electronic_records_pkey PRIMARY KEY (partner_id, id),
  constraint electronic_records_partner_id_tenant_id_fkey FOREIGN KEY (partner_id, tenant_id) REFERENCES tenant(partner_id, id),
  constraint electronic_records_check CHECK ((agreed = (consent_text IS NOT NULL))),
  constraint electronic_records_check1 CHECK ((agreed = (consent_version IS NOT NULL))),
  constraint electronic_records_check2 CHECK ((agreed = (locale IS NOT NULL)))
);
CREATE INDEX electronic_records_tenant ON public.electronic_records USING btree (partner_id, tenant_id, decided_at, id);

create table experience_session (
  id text not null,
  secret_sha256 bytea not null,
  token_sha256 bytea not null,
  tenant_id text not null,
  product_variant text not null,
  created_at timestamp with time zone not null,
  idle_until timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  confirmed_at timestamp with time zone,
  partner_id text not null,
  operator_session_id text,
  portal_session_id text,
  constraint experience_session_pkey PRIMARY KEY (partner_id, id),
  constraint experience_session_secret_sha256_key UNIQUE (secret_sha256),
  constraint experience_session_token_sha256_key UNIQUE (token_sha256),
  constraint experience_session_partner_id_tenant_id_fkey FOREIGN KEY (partner_id, tenant_id) REFERENCES tenant(partner_id, id),
  constraint experience_session_token_sha256_fkey FOREIGN KEY (token_sha256) REFERENCES tenant_token(secret_sha256),
  constraint experience_session_id_check CHECK ((id ~~ 'xps\_%'::text)),
  constraint experience_session_product_variant_check CHECK ((product_variant = ANY (ARRAY['rent'::text, 'hoa'::text]))),
  constraint experience_session_secret_sha256_check CHECK ((octet_length(secret_sha256) = 32))
);
CREATE INDEX experience_session_expiry ON public.experience_session USING btree (expires_at);

create table go_live_mark (
  partner_id text not null,
  item text not null,
  marked_at timestamp with time zone not null,
  constraint go_live_mark_pkey PRIMARY KEY (partner_id, item),
  constraint go_live_mark_partner_id_fkey FOREIGN KEY (partner_id) REFERENCES partner(id)
);

create table hosted_link (
  partner_id text not null,
  id text not null,
  tenant_id text not null,
  key_id text not null,
  secret_sha256 bytea not null,
  product_variant text,
  use text not null,
  sent_by text not null,
  return_url text,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  opened_at timestamp with time zone,
  open_nonce_sha256 bytea,
  revoked_at timestamp with time zone,
  code_hmac bytea,
  code_expires_at timestamp with time zone,
  codes_sent integer not null default 0,
  tries_left integer not null default 5,
  result_id text,
  result_used_at timestamp with time zone,
  constraint hosted_link_pkey PRIMARY KEY (partner_id, id),
  constraint hosted_link_secret_sha256_key UNIQUE (secret_sha256),
  constraint hosted_link_product_variant_check CHECK ((product_variant = ANY (ARRAY['rent'::text, 'hoa'::text]))),
  constraint hosted_link_secret_sha256_check CHECK ((octet_length(secret_sha256) = 32)),
  constraint hosted_link_sent_by_check CHECK ((sent_by = ANY (ARRAY['email'::text, 'text'::text]))),
  constraint hosted_link_use_check CHECK ((use = ANY (ARRAY['redirect'::text, 'message'::text])))
);
CREATE INDEX hosted_link_expiry ON public.hosted_link USING btree (expires_at);
CREATE INDEX hosted_link_result ON public.hosted_link USING btree (partner_id, result_id) WHERE (result_id IS NOT NULL);
CREATE INDEX hosted_link_tenant ON public.hosted_link USING btree (partner_id, tenant_id);

create table idempotency_key (
  scope text collate "C" not null,
  key text collate "C" not null,
  body_sha256 bytea not null,
  status integer,
  body_sealed bytea,
  created_at timestamp with time zone not null,
  partner_id text not null,
  constraint idempotency_key_pkey PRIMARY KEY (partner_id, scope, key),
  constraint idempotency_key_body_sha256_check CHECK ((octet_length(body_sha256) = 32)),
  constraint idempotency_key_check CHECK (((status IS NULL) = (body_sealed IS NULL)))
);
CREATE INDEX idempotency_key_age ON public.idempotency_key USING btree (created_at);

create table installation (
  only_row boolean not null default true,
  environment text not null,
  secret_key_fingerprint bytea not null,
  created_at timestamp with time zone not null,
  clear_names boolean not null default false,
  constraint installation_pkey PRIMARY KEY (only_row),
  constraint installation_environment_check CHECK ((environment = ANY (ARRAY['sandbox'::text, 'production'::text]))),
  constraint installation_only_row_check CHECK (only_row),
  constraint installation_secret_key_fingerprint_check CHECK ((octet_length(secret_key_fingerprint) = 32))
);

create table installment (
  id text not null,
  plan_id text not null,
  number integer not null,
  due_date date not null,
  amount_in_cents bigint not null,
  state text not null,
  version integer not null default 1,
  retries integer not null default 0,
  next_attempt_at timestamp with time zone,
  paid_at timestamp with time zone,
  reminded_for date,
  agreed_in_cents bigint not null,
  credited_in_cents bigint not null default 0,
  partner_id text not null,
  part_paid_in_cents bigint not null default 0,
  constraint installment_pkey PRIMARY KEY (partner_id, id),
  constraint installment_partner_id_plan_id_number_key UNIQUE (partner_id, plan_id, number),
  constraint installment_partner_id_plan_id_fkey FOREIGN KEY (partner_id, plan_id) REFERENCES plan(partner_id, id),
  constraint installment_agreed_in_cents_check CHECK ((agreed_in_cents > 0)),
  constraint installment_amount_in_cents_check CHECK ((amount_in_cents > 0)),
  constraint installment_check CHECK ((credited_in_cents <= agreed_in_cents)),
  constraint installment_credited_in_cents_check CHECK ((credited_in_cents >= 0)),
  constraint installment_id_check CHECK ((id ~~ 'ins\_%'::text)),
  constraint installment_number_check CHECK (((number >= 1) AND (number <= 12))),
  constraint installment_part_paid_in_cents_check CHECK (((part_paid_in_cents >= 0) AND ((part_paid_in_cents + credited_in_cents) <= agreed_in_cents))),
  constraint installment_retries_check CHECK (((retries >= 0) AND (retries <= 2))),
  constraint installment_state_check CHECK ((state = ANY (ARRAY['scheduled'::text, 'processing'::text, 'paid'::text, 'failed'::text, 'overdue'::text, 'canceled'::text])))
);
CREATE INDEX installment_failed ON public.installment USING btree (((due_date)::timestamp without time zone AT TIME ZONE 'UTC'::text), id) WHERE (state = ANY (ARRAY['failed'::text, 'overdue'::text]));

create table ledger_account (
  id text not null,
  partner_id text not null,
  tenant_id text,
  kind text not null,
  constraint ledger_account_pkey PRIMARY KEY (partner_id, id),
  constraint ledger_account_partner_id_tenant_id_kind_key UNIQUE NULLS NOT DISTINCT (partner_id, tenant_id, kind),
  constraint ledger_account_partner_id_fkey FOREIGN KEY (partner_id) REFERENCES partner(id),
  constraint ledger_account_partner_id_tenant_id_fkey FOREIGN KEY (partner_id, tenant_id) REFERENCES tenant(partner_id, id),
  constraint ledger_account_id_check CHECK ((id ~~ 'acc\_%'::text)),
  constraint ledger_account_kind_check CHECK (((kind = ANY (ARRAY['tenant_receivable'::text, 'partner_payable'::text, 'fee_income'::text, 'cash'::text, 'credit_loss'::text, 'processing_cost'::text, 'books_difference'::text])) OR (kind ~~ '%\_clearing'::text)))
);

create table ledger_checkpoint (
  partner_id text not null,
  seal_number bigint not null,
  seal_sha256 bytea not null,
  transfers bigint not null,
  last_transfer_id text not null,
  trial_balance jsonb not null,
  verified_at timestamp with time zone not null,
  mac bytea not null,
  constraint ledger_checkpoint_pkey PRIMARY KEY (partner_id),
  constraint ledger_checkpoint_partner_id_fkey FOREIGN KEY (partner_id) REFERENCES partner(id),
  constraint ledger_checkpoint_mac_check CHECK ((octet_length(mac) = 32)),
  constraint ledger_checkpoint_seal_number_check CHECK ((seal_number >= 0)),
  constraint ledger_checkpoint_seal_sha256_check CHECK ((octet_length(seal_sha256) = 32)),
  constraint ledger_checkpoint_transfers_check CHECK ((transfers >= 0)),
  constraint ledger_checkpoint_trial_balance_check CHECK ((jsonb_typeof(trial_balance) = 'object'::text))
);

create table ledger_counted (
  partner_id text not null,
  seal_number bigint not null,
  constraint ledger_counted_pkey PRIMARY KEY (partner_id),
  constraint ledger_counted_partner_id_fkey FOREIGN KEY (partner_id) REFERENCES partner(id),
  constraint ledger_counted_seal_number_check CHECK ((seal_number >= 0))
);

create table ledger_day_total (
  partner_id text not null,
  day date not null,
  kind text not null,
  total_in_cents bigint not null,
  debit_in_cents bigint not null default 0,
  first_transfer_id text,
  last_transfer_id text,
  constraint ledger_day_total_pkey PRIMARY KEY (partner_id, day, kind),
  constraint ledger_day_total_partner_id_fkey FOREIGN KEY (partner_id) REFERENCES partner(id)
);

create table ledger_entry (
  partner_id text not null,
  transfer_id text not null,
  account_id text not null,
  amount_in_cents bigint not null,
  constraint ledger_entry_pkey PRIMARY KEY (partner_id, transfer_id, account_id),
  constraint ledger_entry_partner_id_account_id_fkey FOREIGN KEY (partner_id, account_id) REFERENCES ledger_account(partner_id, id),
  constraint ledger_entry_transfer_fkey FOREIGN KEY (partner_id, transfer_id) REFERENCES ledger_transfer(partner_id, id),
  constraint ledger_entry_amount_in_cents_check1 CHECK ((amount_in_cents <> 0))
) partition by RANGE (transfer_id);
CREATE INDEX ledger_entry_account ON ONLY public.ledger_entry USING btree (partner_id, account_id);
CREATE TRIGGER ledger_entry_append_only BEFORE DELETE OR UPDATE ON public.ledger_entry FOR EACH ROW EXECUTE FUNCTION ledger_refuse_change();
CREATE TRIGGER ledger_entry_balanced AFTER INSERT ON public.ledger_entry REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION ledger_check_added();

create table ledger_seal (
  partner_id text not null,
  number bigint not null,
  transfer_ids text[] not null,
  previous_sha256 bytea not null,
  sha256 bytea not null,
  sealed_at timestamp with time zone not null,
  constraint ledger_seal_pkey PRIMARY KEY (partner_id, number),
  constraint ledger_seal_partner_id_fkey FOREIGN KEY (partner_id) REFERENCES partner(id),
  constraint ledger_seal_number_check CHECK ((number >= 1)),
  constraint ledger_seal_previous_sha256_check CHECK ((octet_length(previous_sha256) = 32)),
  constraint ledger_seal_sha256_check CHECK ((octet_length(sha256) = 32)),
  constraint ledger_seal_transfer_ids_check CHECK ((cardinality(transfer_ids) >= 1))
);
CREATE TRIGGER ledger_seal_append_only BEFORE DELETE OR UPDATE ON public.ledger_seal FOR EACH ROW EXECUTE FUNCTION ledger_refuse_change();

create table ledger_seal_before_partners (
  number bigint not null,
  partner_ids text[] not null,
  transfer_ids text[] not null,
  previous_sha256 bytea not null,
  sha256 bytea not null,
  sealed_at timestamp with time zone not null,
  constraint ledger_seal_before_partners_pkey PRIMARY KEY (number),
  constraint ledger_seal_before_partners_check CHECK ((cardinality(partner_ids) = cardinality(transfer_ids))),
  constraint ledger_seal_before_partners_number_check CHECK ((number >= 1)),
  constraint ledger_seal_before_partners_previous_sha256_check CHECK ((octet_length(previous_sha256) = 32)),
  constraint ledger_seal_before_partners_sha256_check CHECK ((octet_length(sha256) = 32)),
  constraint ledger_seal_before_partners_transfer_ids_check CHECK ((cardinality(transfer_ids) >= 1))
);
CREATE TRIGGER ledger_seal_before_partners_append_only BEFORE INSERT OR DELETE OR UPDATE ON public.ledger_seal_before_partners FOR EACH ROW EXECUTE FUNCTION ledger_refuse_change();

create table ledger_transfer (
  id text not null,
  partner_id text not null,
  kind text not null,
  source_id text not null,
  reverses_id text,
  occurred_at timestamp with time zone not null,
  created_at timestamp with time zone not null,
  constraint ledger_transfer_pkey PRIMARY KEY (partner_id, id),
  constraint ledger_transfer_reverses_fkey FOREIGN KEY (partner_id, reverses_id) REFERENCES ledger_transfer(partner_id, id),
  constraint ledger_transfer_id_check CHECK ((id ~~ 'trf\_%'::text)),
  constraint ledger_transfer_reversal_check CHECK ((NOT (reverses_id IS DISTINCT FROM
CASE
    WHEN (kind = 'reversal'::text) THEN source_id
    ELSE NULL::text
END)))
) partition by RANGE (id);
CREATE TRIGGER ledger_transfer_added AFTER INSERT ON public.ledger_transfer REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION ledger_note_added();
CREATE TRIGGER ledger_transfer_append_only BEFORE DELETE OR UPDATE ON public.ledger_transfer FOR EACH ROW EXECUTE FUNCTION ledger_refuse_change();
CREATE CONSTRAINT TRIGGER ledger_transfer_balanced AFTER INSERT ON public.ledger_transfer DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION ledger_check_balance();

create table ledger_transfer_source (
  partner_id text not null,
  source_id text not null,
  kind text not null,
  transfer_id text not null,
  constraint ledger_transfer_source_pkey PRIMARY KEY (partner_id, source_id, kind)
);
CREATE TRIGGER ledger_transfer_source_append_only BEFORE DELETE OR UPDATE ON public.ledger_transfer_source FOR EACH ROW EXECUTE FUNCTION ledger_refuse_change();

create table ledger_unsealed (
  transfer_id text not null,
  partner_id text not null,
  constraint ledger_unsealed_pkey PRIMARY KEY (partner_id, transfer_id)
);

create table lending_rule (
  number integer not null,
  id text not null,
  partner_id text,
  state text,
  effective_from date not null,
  rule jsonb not null,
  carried_over boolean not null,
  created_by text not null,
  reason text not null,
  created_at timestamp with time zone not null,
  constraint lending_rule_pkey PRIMARY KEY (number),
  constraint lending_rule_id_key UNIQUE (id),
  constraint lending_rule_partner_id_fkey FOREIGN KEY (partner_id) REFERENCES partner(id),
  constraint lending_rule_id_check CHECK ((id ~~ 'lnr\_%'::text)),
  constraint lending_rule_rule_check CHECK ((jsonb_typeof(rule) = 'object'::text)),
  constraint lending_rule_state_check CHECK ((state ~ '^[A-Z]{2}$'::text))
);
CREATE INDEX lending_rule_partner ON public.lending_rule USING btree (partner_id);
CREATE TRIGGER lending_rule_immutable BEFORE DELETE OR UPDATE ON public.lending_rule FOR EACH ROW EXECUTE FUNCTION lending_rule_refuse_change();
CREATE TRIGGER lending_rule_no_truncate BEFORE TRUNCATE ON public.lending_rule FOR EACH STATEMENT EXECUTE FUNCTION lending_rule_refuse_change();

create table mail (
  id text not null,
  tenant_id text not null,
  type text not null,
  data jsonb not null,
  product_variant text not null,
  simulated boolean not null,
  link_sealed bytea,
  attempts integer not null default 0,
  due_at timestamp with time zone,
  sent_at timestamp with time zone,
  failure text,
  created_at timestamp with time zone not null,
  partner_id text not null,
  bounced_at timestamp with time zone,
  constraint mail_pkey PRIMARY KEY (partner_id, id),
  constraint mail_partner_id_tenant_id_fkey FOREIGN KEY (partner_id, tenant_id) REFERENCES tenant(partner_id, id),
  constraint mail_id_check CHECK ((id ~~ 'mal\_%'::text)),
  constraint mail_product_variant_check CHECK ((product_variant = ANY (ARRAY['rent'::text, 'hoa'::text]))),
  constraint mail_type_check CHECK ((type = ANY (ARRAY['experience.code'::text, 'plan.activated'::text, 'plan.payment_method'::text, 'plan.refunded'::text, 'plan.past_due'::text, 'plan.completed'::text, 'plan.charged_off'::text, 'plan.canceled'::text, 'application.declined'::text, 'installment.upcoming'::text, 'installment.failed'::text, 'installment.paid'::text, 'installment.rescheduled'::text, 'autopay.enabled'::text, 'autopay.disabled'::text])))
);
CREATE INDEX mail_due ON public.mail USING btree (due_at) WHERE (due_at IS NOT NULL);
CREATE INDEX mail_over ON public.mail USING btree (created_at) WHERE (due_at IS NULL);
CREATE INDEX mail_tenant ON public.mail USING btree (partner_id, tenant_id, id);
CREATE INDEX mail_undelivered ON public.mail USING btree (created_at, id) WHERE ((due_at IS NULL) AND ((sent_at IS NULL) OR (bounced_at IS NOT NULL)));
CREATE INDEX mail_unsent ON public.mail USING btree (type, attempts) WHERE (sent_at IS NULL);

create table money_switch (
  only_row boolean not null default true,
  stopped_at timestamp with time zone,
  stopped_by text,
  reason text,
  constraint money_switch_pkey PRIMARY KEY (only_row),
  constraint money_switch_check CHECK ((((stopped_at IS NULL) = (stopped_by IS NULL)) AND ((stopped_at IS NULL) = (reason IS NULL)))),
  constraint money_switch_only_row_check CHECK (only_row)
);

create table operator (
  id text not null,
  name text not null,
  role text not null,
  partner_ids text[],
  created_at timestamp with time zone not null,
  disabled_at timestamp with time zone,
  constraint operator_pkey PRIMARY KEY (id),
  constraint operator_id_check CHECK ((id ~~ 'opr\_%'::text)),
  constraint operator_partner_ids_check CHECK (((partner_ids IS NULL) OR (cardinality(partner_ids) > 0))),
  constraint operator_role_check CHECK ((role = ANY (ARRAY['admin'::text, 'finance'::text, 'support'::text, 'risk'::text, 'developer'::text, 'auditor'::text])))
);
CREATE UNIQUE INDEX operator_name ON public.operator USING btree (lower(name)) WHERE (disabled_at IS NULL);

create table operator_account (
  operator_id text not null,
  email text not null,
  issuer text,
  subject text,
  constraint operator_account_pkey PRIMARY KEY (operator_id),
  constraint operator_account_operator_id_fkey FOREIGN KEY (operator_id) REFERENCES operator(id),
  constraint operator_account_check CHECK (((issuer IS NULL) = (subject IS NULL)))
);
CREATE UNIQUE INDEX operator_account_email ON public.operator_account USING btree (lower(email));
CREATE UNIQUE INDEX operator_account_subject ON public.operator_account USING btree (issuer, subject);

create table operator_attempt (
  subject_sha256 bytea not null,
  attempts integer not null,
  since timestamp with time zone not null,
  constraint operator_attempt_pkey PRIMARY KEY (subject_sha256)
);

create table operator_challenge (
  challenge_sha256 bytea not null,
  operator_id text,
  expires_at timestamp with time zone not null,
  constraint operator_challenge_pkey PRIMARY KEY (challenge_sha256),
  constraint operator_challenge_operator_id_fkey FOREIGN KEY (operator_id) REFERENCES operator(id)
);

create table operator_check (
  name text not null,
  checked_at timestamp with time zone not null,
  faults integer not null,
  constraint operator_check_pkey PRIMARY KEY (name),
  constraint operator_check_faults_check CHECK ((faults >= 0)),
  constraint operator_check_name_check CHECK ((name = ANY (ARRAY['ledger'::text, 'audit'::text, 'backup'::text])))
);

create table operator_invite (
  secret_sha256 bytea not null,
  operator_id text not null,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  used_at timestamp with time zone,
  constraint operator_invite_pkey PRIMARY KEY (secret_sha256),
  constraint operator_invite_operator_id_fkey FOREIGN KEY (operator_id) REFERENCES operator(id),
  constraint operator_invite_secret_sha256_check CHECK ((octet_length(secret_sha256) = 32))
);

create table operator_passkey (
  id text not null,
  operator_id text not null,
  public_key bytea not null,
  counter bigint not null,
  created_at timestamp with time zone not null,
  last_used_at timestamp with time zone,
  constraint operator_passkey_pkey PRIMARY KEY (id),
  constraint operator_passkey_operator_id_fkey FOREIGN KEY (operator_id) REFERENCES operator(id)
);
CREATE INDEX operator_passkey_operator ON public.operator_passkey USING btree (operator_id);

create table operator_password (
  operator_id text not null,
  salt bytea not null,
  scrypt bytea not null,
  totp_sealed bytea not null,
  totp_step bigint not null,
  created_at timestamp with time zone not null,
  constraint operator_password_pkey PRIMARY KEY (operator_id),
  constraint operator_password_operator_id_fkey FOREIGN KEY (operator_id) REFERENCES operator(id)
);

create table operator_recovery_code (
  code_sha256 bytea not null,
  operator_id text not null,
  used_at timestamp with time zone,
  constraint operator_recovery_code_pkey PRIMARY KEY (code_sha256),
  constraint operator_recovery_code_operator_id_fkey FOREIGN KEY (operator_id) REFERENCES operator(id)
);
CREATE INDEX operator_recovery_code_operator ON public.operator_recovery_code USING btree (operator_id);

create table operator_request (
  key text not null,
  request_sha256 bytea not null,
  operator text not null,
  result jsonb,
  created_at timestamp with time zone not null,
  constraint operator_request_pkey PRIMARY KEY (key)
);

create table operator_session (
  id text not null,
  secret_sha256 bytea not null,
  operator_id text not null,
  created_at timestamp with time zone not null,
  idle_until timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  proven_at timestamp with time zone,
  revoked_at timestamp with time zone,
  is_enrolling boolean not null default false,
  constraint operator_session_pkey PRIMARY KEY (id),
  constraint operator_session_secret_sha256_key UNIQUE (secret_sha256),
  constraint operator_session_operator_id_fkey FOREIGN KEY (operator_id) REFERENCES operator(id),
  constraint operator_session_id_check CHECK ((id ~~ 'ops\_%'::text)),
  constraint operator_session_secret_sha256_check CHECK ((octet_length(secret_sha256) = 32))
);
CREATE INDEX operator_session_operator ON public.operator_session USING btree (operator_id) WHERE (revoked_at IS NULL);

create table operator_visit (
  state_sha256 bytea not null,
  browser_sha256 bytea not null,
  session_id text,
  return_to text not null,
  expires_at timestamp with time zone not null,
  constraint operator_visit_pkey PRIMARY KEY (state_sha256),
  constraint operator_visit_session_id_fkey FOREIGN KEY (session_id) REFERENCES operator_session(id)
);

create table outbox_item (
  partner_id text collate "C" not null,
  destination text collate "C" not null,
  "position" bigint not null generated always as identity,
  message_id text collate "C" not null,
  state text not null default 'pending'::text,
  outcome_unknown boolean not null default false,
  reason text,
  parked_at timestamp with time zone,
  created_at timestamp with time zone not null,
  constraint outbox_item_pkey PRIMARY KEY (partner_id, destination, "position"),
  constraint outbox_item_partner_id_fkey FOREIGN KEY (partner_id) REFERENCES partner(id),
  constraint outbox_item_check CHECK (((state = 'parked'::text) = (reason IS NOT NULL))),
  constraint outbox_item_check1 CHECK (((state = 'parked'::text) = (parked_at IS NOT NULL))),
  constraint outbox_item_destination_check CHECK ((destination ~ '^[a-z][a-z0-9_-]{0,31}$'::text)),
  constraint outbox_item_state_check CHECK ((state = ANY (ARRAY['pending'::text, 'parked'::text])))
) with (autovacuum_vacuum_scale_factor=0, autovacuum_vacuum_threshold=500, autovacuum_vacuum_cost_delay=0);
CREATE INDEX outbox_item_oldest ON public.outbox_item USING btree (state, destination, message_id);
CREATE INDEX outbox_item_pending ON public.outbox_item USING btree (destination, partner_id, "position") WHERE (state = 'pending'::text);

create table outbox_stream (
  partner_id text collate "C" not null,
  destination text collate "C" not null,
  due_at timestamp with time zone not null,
  lease_owner text,
  lease_until timestamp with time zone,
  epoch bigint not null default 0,
  failures integer not null default 0,
  last_error text,
  accepted_at timestamp with time zone,
  constraint outbox_stream_pkey PRIMARY KEY (partner_id, destination),
  constraint outbox_stream_partner_id_fkey FOREIGN KEY (partner_id) REFERENCES partner(id),
  constraint outbox_stream_check CHECK (((lease_owner IS NULL) = (lease_until IS NULL)))
) with (fillfactor=50, autovacuum_vacuum_scale_factor=0, autovacuum_vacuum_threshold=500);

create table partner (
  id text not null,
  pms text collate "C" not null,
  name text not null,
  allowed_origins text[] not null default '{}'::text[],
  created_at timestamp with time zone not null,
  app_schemes text[] not null default '{}'::text[],
  constraint partner_pkey PRIMARY KEY (id),
  constraint partner_pms_key UNIQUE (pms),
  constraint partner_allowed_origins_check CHECK ((cardinality(allowed_origins) <= 20)),
  constraint partner_id_check CHECK ((id ~~ 'ptn\_%'::text)),
  constraint partner_pms_check CHECK ((pms ~ '^[a-z0-9][a-z0-9_-]{1,62}$'::text))
);

create table partner_appearance (
  partner_id text not null,
  accent text,
  radius integer,
  font text,
  theme text not null,
  updated_at timestamp with time zone not null,
  constraint partner_appearance_pkey PRIMARY KEY (partner_id),
  constraint partner_appearance_partner_id_fkey FOREIGN KEY (partner_id) REFERENCES partner(id),
  constraint partner_appearance_accent_check CHECK ((accent ~ '^#[0-9a-f]{6}$'::text)),
  constraint partner_appearance_radius_check CHECK (((radius >= 0) AND (radius <= 24))),
  constraint partner_appearance_theme_check CHECK ((theme = ANY (ARRAY['light'::text, 'dark'::text, 'auto'::text])))
);

create table partner_file (
  partner_id text not null,
  kind text not null,
  sha256 bytea not null,
  bytes bytea not null,
  width integer,
  height integer,
  replaced_at timestamp with time zone,
  uploaded_at timestamp with time zone not null,
  constraint partner_file_pkey PRIMARY KEY (partner_id, kind, sha256),
  constraint partner_file_partner_id_fkey FOREIGN KEY (partner_id) REFERENCES partner(id),
  constraint partner_file_bytes_check CHECK (((octet_length(bytes) >= 1) AND (octet_length(bytes) <= 204800))),
  constraint partner_file_check CHECK (((kind = 'logo'::text) = ((width IS NOT NULL) AND (height IS NOT NULL)))),
  constraint partner_file_kind_check CHECK ((kind = ANY (ARRAY['logo'::text, 'font'::text]))),
  constraint partner_file_sha256_check CHECK ((octet_length(sha256) = 32))
);
CREATE UNIQUE INDEX partner_file_in_use ON public.partner_file USING btree (partner_id, kind) WHERE (replaced_at IS NULL);

create table payment (
  id text not null,
  installment_id text not null,
  attempt integer not null,
  amount_in_cents bigint not null,
  outcome text not null,
  return_code text,
  occurred_at timestamp with time zone not null,
  created_at timestamp with time zone not null,
  kind text not null default 'scheduled'::text,
  payment_method_id text,
  settles_at timestamp with time zone,
  partner_id text not null,
  is_part boolean not null default false,
  constraint payment_pkey PRIMARY KEY (partner_id, id),
  constraint payment_partner_id_installment_id_attempt_key UNIQUE (partner_id, installment_id, attempt),
  constraint payment_partner_id_installment_id_fkey FOREIGN KEY (partner_id, installment_id) REFERENCES installment(partner_id, id),
  constraint payment_partner_id_payment_method_id_fkey FOREIGN KEY (partner_id, payment_method_id) REFERENCES payment_method(partner_id, id),
  constraint payment_amount_in_cents_check CHECK ((amount_in_cents > 0)),
  constraint payment_attempt_check CHECK ((attempt >= 1)),
  constraint payment_code_check CHECK (((outcome = ANY (ARRAY['failed'::text, 'returned'::text])) = (return_code IS NOT NULL))),
  constraint payment_id_check CHECK ((id ~~ 'pay\_%'::text)),
  constraint payment_kind_check CHECK ((kind = ANY (ARRAY['scheduled'::text, 'retry'::text, 'tenant'::text]))),
  constraint payment_outcome_check CHECK ((outcome = ANY (ARRAY['pending'::text, 'succeeded'::text, 'failed'::text, 'canceled'::text, 'returned'::text]))),
  constraint payment_pending_check CHECK (((outcome = 'pending'::text) <= (settles_at IS NOT NULL)))
);
CREATE UNIQUE INDEX payment_not_part ON public.payment USING btree (partner_id, installment_id) WHERE ((outcome = ANY (ARRAY['pending'::text, 'succeeded'::text])) AND (NOT is_part));

create table payment_method (
  id text not null,
  tenant_id text not null,
  type text not null,
  details_sealed bytea not null,
  created_at timestamp with time zone not null,
  brand text,
  last4 text not null,
  expires text,
  partner_id text not null,
  mandate_ref text,
  method_ref text,
  constraint payment_method_pkey PRIMARY KEY (partner_id, id),
  constraint payment_method_partner_id_tenant_id_fkey FOREIGN KEY (partner_id, tenant_id) REFERENCES tenant(partner_id, id),
  constraint payment_method_brand_check CHECK ((brand = ANY (ARRAY['visa'::text, 'mastercard'::text]))),
  constraint payment_method_check CHECK (((type = 'card'::text) = (brand IS NOT NULL))),
  constraint payment_method_check1 CHECK (((expires IS NULL) OR (type = 'card'::text))),
  constraint payment_method_expires_check CHECK ((expires ~ '^\d{4}-\d\d$'::text)),
  constraint payment_method_id_check CHECK ((id ~~ 'pmt\_%'::text)),
  constraint payment_method_last4_check CHECK ((last4 ~ '^\d{4}$'::text)),
  constraint payment_method_type_check CHECK ((type = ANY (ARRAY['bank_account'::text, 'card'::text])))
);
CREATE INDEX payment_method_last4 ON public.payment_method USING btree (last4);
CREATE INDEX payment_method_mandate ON public.payment_method USING btree (mandate_ref) WHERE (mandate_ref IS NOT NULL);
CREATE INDEX payment_method_ref ON public.payment_method USING btree (method_ref) WHERE (method_ref IS NOT NULL);
CREATE INDEX payment_method_tenant ON public.payment_method USING btree (partner_id, tenant_id, created_at DESC);

create table payment_setup (
  partner_id text not null,
  id text not null,
  tenant_id text not null,
  product_variant text not null,
  processor text not null,
  type text not null,
  ref text,
  state text not null,
  reason text,
  payment_method_id text,
  check_at timestamp with time zone,
  created_at timestamp with time zone not null,
  constraint payment_setup_pkey PRIMARY KEY (partner_id, id),
  constraint payment_setup_partner_id_payment_method_id_fkey FOREIGN KEY (partner_id, payment_method_id) REFERENCES payment_method(partner_id, id),
  constraint payment_setup_partner_id_tenant_id_fkey FOREIGN KEY (partner_id, tenant_id) REFERENCES tenant(partner_id, id),
  constraint payment_setup_check CHECK (((state = 'failed'::text) = (reason IS NOT NULL))),
  constraint payment_setup_check1 CHECK (((state = 'ready'::text) = (payment_method_id IS NOT NULL))),
  constraint payment_setup_check2 CHECK (((state <> ALL (ARRAY['ready'::text, 'failed'::text])) OR (check_at IS NULL))),
  constraint payment_setup_id_check CHECK ((id ~~ 'pse\_%'::text)),
  constraint payment_setup_state_check CHECK ((state = ANY (ARRAY['open'::text, 'pending'::text, 'ready'::text, 'failed'::text]))),
  constraint payment_setup_type_check CHECK ((type = ANY (ARRAY['bank_account'::text, 'card'::text])))
);
CREATE INDEX payment_setup_check ON public.payment_setup USING btree (check_at) WHERE (check_at IS NOT NULL);
CREATE INDEX payment_setup_ended ON public.payment_setup USING btree (created_at) WHERE (check_at IS NULL);
CREATE INDEX payment_setup_ref ON public.payment_setup USING btree (processor, ref) WHERE (ref IS NOT NULL);
CREATE INDEX payment_setup_tenant ON public.payment_setup USING btree (partner_id, tenant_id, created_at DESC);

create table payout (
  partner_id text not null,
  id text not null,
  method text not null,
  status text not null,
  day date not null,
  amount_in_cents bigint not null,
  line_count integer not null,
  destination text not null,
  reference text,
  failure_reason text,
  rail text,
  attempted_at timestamp with time zone,
  check_at timestamp with time zone,
  sent_at timestamp with time zone,
  paid_at timestamp with time zone,
  ended_at timestamp with time zone,
  version integer not null default 1,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  constraint payout_pkey PRIMARY KEY (partner_id, id),
  constraint payout_partner_id_fkey FOREIGN KEY (partner_id) REFERENCES partner(id),
  constraint payout_amount_in_cents_check CHECK ((amount_in_cents > 0)),
  constraint payout_check CHECK (((status = ANY (ARRAY['failed'::text, 'returned'::text])) = (failure_reason IS NOT NULL))),
  constraint payout_check1 CHECK (((check_at IS NULL) OR (rail IS NOT NULL))),
  constraint payout_id_check CHECK ((id ~~ 'pyt\_%'::text)),
  constraint payout_line_count_check CHECK ((line_count > 0)),
  constraint payout_method_check CHECK ((method = ANY (ARRAY['debit'::text, 'credit'::text]))),
  constraint payout_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'sent'::text, 'paid'::text, 'failed'::text, 'returned'::text])))
);
CREATE INDEX payout_check ON public.payout USING btree (check_at) WHERE (check_at IS NOT NULL);
CREATE INDEX payout_status ON public.payout USING btree (partner_id, status, id DESC);
CREATE CONSTRAINT TRIGGER payout_lines_sum AFTER INSERT ON public.payout DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION payout_check_lines();
CREATE TRIGGER payout_no_edit BEFORE UPDATE OF partner_id, id, method, day, amount_in_cents, line_count ON public.payout FOR EACH ROW EXECUTE FUNCTION payout_refuse_change();

create table payout_adjustment (
  partner_id text not null,
  id text not null,
  amount_in_cents bigint not null,
  reason text not null,
  created_by text not null,
  created_at timestamp with time zone not null,
  constraint payout_adjustment_pkey PRIMARY KEY (partner_id, id),
  constraint payout_adjustment_partner_id_fkey FOREIGN KEY (partner_id) REFERENCES partner(id),
  constraint payout_adjustment_amount_in_cents_check CHECK ((amount_in_cents <> 0)),
  constraint payout_adjustment_id_check CHECK ((id ~~ 'pad\_%'::text))
);
CREATE TRIGGER payout_adjustment_no_edit BEFORE DELETE OR UPDATE ON public.payout_adjustment FOR EACH ROW EXECUTE FUNCTION payout_refuse_change();

create table payout_line (
  partner_id text not null,
  payout_id text not null,
  number integer not null,
  kind text not null,
  source_id text not null,
  amount_in_cents bigint not null,
  carried_from text,
  released boolean not null default false,
  constraint payout_line_pkey PRIMARY KEY (partner_id, payout_id, number),
  constraint payout_line_partner_id_payout_id_fkey FOREIGN KEY (partner_id, payout_id) REFERENCES payout(partner_id, id),
  constraint payout_line_amount_in_cents_check CHECK ((amount_in_cents <> 0)),
  constraint payout_line_kind_check CHECK ((kind = ANY (ARRAY['settlement'::text, 'refund'::text, 'adjustment'::text]))),
  constraint payout_line_number_check CHECK ((number > 0))
);
CREATE UNIQUE INDEX payout_line_once ON public.payout_line USING btree (partner_id, source_id) WHERE (NOT released);
CREATE INDEX payout_line_source ON public.payout_line USING btree (partner_id, source_id, payout_id DESC);
CREATE TRIGGER payout_line_no_edit BEFORE UPDATE OF partner_id, payout_id, number, kind, source_id, amount_in_cents, carried_from ON public.payout_line FOR EACH ROW EXECUTE FUNCTION payout_refuse_change();

create table payout_setting (
  partner_id text not null,
  method text not null,
  cut_off_hour integer not null,
  destination text not null,
  next_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  constraint payout_setting_pkey PRIMARY KEY (partner_id),
  constraint payout_setting_partner_id_fkey FOREIGN KEY (partner_id) REFERENCES partner(id),
  constraint payout_setting_cut_off_hour_check CHECK (((cut_off_hour >= 0) AND (cut_off_hour <= 23))),
  constraint payout_setting_method_check CHECK ((method = ANY (ARRAY['debit'::text, 'credit'::text])))
);
CREATE INDEX payout_setting_next ON public.payout_setting USING btree (next_at);

create table plan (
  id text not null,
  partner_id text not null,
  tenant_id text not null,
  application_id text not null,
  payment_method_id text not null,
  product_variant text not null,
  rent_cycle_date date not null,
  state text not null,
  principal_in_cents bigint not null,
  fee_in_cents bigint not null,
  apr_bps integer not null,
  disclosure_text text not null,
  disclosure_sha256 bytea not null,
  quote_id text not null,
  consent jsonb not null,
  accepted_at timestamp with time zone not null,
  version integer not null default 1,
  created_at timestamp with time zone not null,
  autopay boolean not null default true,
  covers_charges boolean not null default true,
  reopened boolean not null default false,
  shares_lease boolean not null default false,
  agreement_sealed bytea,
  terms_version text,
  past_due_since date,
  constraint plan_pkey PRIMARY KEY (partner_id, id),
  constraint plan_partner_id_application_id_fkey FOREIGN KEY (partner_id, application_id) REFERENCES application(partner_id, id),
  constraint plan_partner_id_payment_method_id_fkey FOREIGN KEY (partner_id, payment_method_id) REFERENCES payment_method(partner_id, id),
  constraint plan_partner_id_tenant_id_fkey FOREIGN KEY (partner_id, tenant_id) REFERENCES tenant(partner_id, id),
  constraint plan_apr_bps_check CHECK ((apr_bps >= 0)),
  constraint plan_disclosure_sha256_check CHECK ((octet_length(disclosure_sha256) = 32)),
  constraint plan_fee_in_cents_check CHECK ((fee_in_cents >= 0)),
  constraint plan_id_check CHECK ((id ~~ 'pln\_%'::text)),
  constraint plan_principal_in_cents_check CHECK ((principal_in_cents > 0)),
  constraint plan_product_variant_check CHECK ((product_variant = ANY (ARRAY['rent'::text, 'hoa'::text]))),
  constraint plan_state_check CHECK ((state = ANY (ARRAY['created'::text, 'active'::text, 'past_due'::text, 'completed'::text, 'canceled'::text, 'charged_off'::text])))
);
CREATE INDEX plan_charged_off ON public.plan USING btree (partner_id, id) WHERE (state = 'charged_off'::text);
CREATE INDEX plan_late ON public.plan USING btree (((COALESCE(past_due_since, rent_cycle_date))::timestamp without time zone AT TIME ZONE 'UTC'::text), id) WHERE (state = 'past_due'::text);
CREATE UNIQUE INDEX plan_open ON public.plan USING btree (partner_id, tenant_id, (
CASE
    WHEN reopened THEN id
    ELSE ''::text
END)) WHERE (state = ANY (ARRAY['created'::text, 'active'::text, 'past_due'::text]));
CREATE INDEX plan_tenant ON public.plan USING btree (partner_id, tenant_id, created_at DESC);
CREATE TRIGGER plan_keeps_agreement BEFORE UPDATE OF terms_version, disclosure_sha256, quote_id ON public.plan FOR EACH ROW EXECUTE FUNCTION plan_refuse_new_terms();

create table plan_charge (
  plan_id text not null,
  charge_id text collate "C" not null,
  amount_in_cents bigint not null,
  partner_id text not null,
  constraint plan_charge_pkey PRIMARY KEY (partner_id, plan_id, charge_id),
  constraint plan_charge_partner_id_plan_id_fkey FOREIGN KEY (partner_id, plan_id) REFERENCES plan(partner_id, id)
);

create table plan_history (
  id text not null,
  plan_id text not null,
  kind text not null,
  number integer,
  amount_in_cents bigint,
  from_date date,
  to_date date,
  return_code text,
  reason text,
  occurred_at timestamp with time zone not null,
  created_at timestamp with time zone not null,
  partner_id text not null,
  constraint plan_history_pkey PRIMARY KEY (partner_id, plan_id, id),
  constraint plan_history_partner_id_plan_id_fkey FOREIGN KEY (partner_id, plan_id) REFERENCES plan(partner_id, id),
  constraint plan_history_id_check CHECK ((id ~~ 'hst\_%'::text)),
  constraint plan_history_kind_check CHECK ((kind = ANY (ARRAY['accepted'::text, 'paid'::text, 'failed'::text, 'rescheduled'::text, 'payment_method'::text, 'autopay_enabled'::text, 'autopay_disabled'::text, 'past_due'::text, 'recovered'::text, 'completed'::text, 'canceled'::text, 'charged_off'::text, 'refunded'::text, 'credited'::text, 'fee_waived'::text, 'charge_changed'::text, 'taken_back'::text])))
);

create table portal_link (
  secret_sha256 bytea not null,
  partner_id text not null,
  read_only boolean not null,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  used_at timestamp with time zone,
  person text,
  key_id text,
  scope text not null default 'webhooks'::text,
  constraint portal_link_pkey PRIMARY KEY (secret_sha256),
  constraint portal_link_partner_id_fkey FOREIGN KEY (partner_id) REFERENCES partner(id),
  constraint portal_link_secret_sha256_check CHECK ((octet_length(secret_sha256) = 32))
);

create table portal_session (
  id text not null,
  secret_sha256 bytea not null,
  partner_id text not null,
  read_only boolean not null,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  revoked_at timestamp with time zone,
  person text,
  idle_until timestamp with time zone,
  key_id text,
  scope text not null default 'webhooks'::text,
  view text,
  external_id text,
  constraint portal_session_pkey PRIMARY KEY (partner_id, id),
  constraint portal_session_secret_sha256_key UNIQUE (secret_sha256),
  constraint portal_session_partner_id_fkey FOREIGN KEY (partner_id) REFERENCES partner(id),
  constraint portal_session_id_check CHECK ((id ~~ 'pss\_%'::text)),
  constraint portal_session_secret_sha256_check CHECK ((octet_length(secret_sha256) = 32)),
  constraint portal_session_view_check CHECK ((((view = ANY (ARRAY['settlements'::text, 'tenant_plan'::text, 'webhooks'::text])) AND ((view = 'tenant_plan'::text) = (external_id IS NOT NULL))) OR ((view IS NULL) AND (external_id IS NULL))))
);
CREATE INDEX portal_session_age ON public.portal_session USING btree (expires_at);
CREATE INDEX portal_session_partner ON public.portal_session USING btree (partner_id) WHERE (revoked_at IS NULL);

create table processor_call (
  partner_id text not null,
  key text not null,
  tenant_id text not null,
  kind text not null,
  processor text not null,
  payment_id text not null,
  payment_method_id text not null,
  source_id text not null,
  amount_in_cents bigint not null,
  occasion text,
  part_state text,
  state text not null,
  ref text,
  return_code text,
  cancel_wanted boolean not null default false,
  sent_at timestamp with time zone,
  check_at timestamp with time zone,
  checks integer not null default 0,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  constraint processor_call_pkey PRIMARY KEY (partner_id, key),
  constraint processor_call_partner_id_tenant_id_fkey FOREIGN KEY (partner_id, tenant_id) REFERENCES tenant(partner_id, id),
  constraint processor_call_amount_in_cents_check CHECK ((amount_in_cents > 0)),
  constraint processor_call_check CHECK (((kind = 'charge'::text) = (occasion IS NOT NULL))),
  constraint processor_call_check1 CHECK (((state = 'failed'::text) = (return_code IS NOT NULL))),
  constraint processor_call_check2 CHECK (((state <> ALL (ARRAY['created'::text, 'sent'::text, 'processing'::text, 'requires_action'::text, 'unknown'::text])) OR (check_at IS NOT NULL))),
  constraint processor_call_kind_check CHECK ((kind = ANY (ARRAY['charge'::text, 'refund'::text]))),
  constraint processor_call_occasion_check CHECK ((occasion = ANY (ARRAY['first'::text, 'tenant'::text, 'scheduled'::text, 'retry'::text]))),
  constraint processor_call_state_check CHECK ((state = ANY (ARRAY['created'::text, 'sent'::text, 'processing'::text, 'requires_action'::text, 'unknown'::text, 'succeeded'::text, 'failed'::text])))
);
CREATE INDEX processor_call_check ON public.processor_call USING btree (check_at) WHERE (check_at IS NOT NULL);
CREATE INDEX processor_call_key ON public.processor_call USING btree (key);
CREATE INDEX processor_call_open ON public.processor_call USING btree (partner_id, tenant_id) WHERE (state <> ALL (ARRAY['succeeded'::text, 'failed'::text]));
CREATE INDEX processor_call_payment ON public.processor_call USING btree (partner_id, payment_id);
CREATE UNIQUE INDEX processor_call_ref ON public.processor_call USING btree (processor, kind, ref) WHERE (ref IS NOT NULL);
CREATE INDEX processor_call_refused ON public.processor_call USING btree (created_at) WHERE ((kind = 'refund'::text) AND (state = 'failed'::text));
CREATE INDEX processor_call_unknown ON public.processor_call USING btree (created_at) WHERE (state = 'unknown'::text);

create table processor_entry (
  id text not null,
  partner_id text not null,
  tenant_id text not null,
  payment_method_id text not null,
  source_id text not null,
  amount_in_cents bigint not null,
  deposit_at timestamp with time zone not null,
  created_at timestamp with time zone not null,
  deposit_id text,
  deposited_in_cents bigint,
  constraint processor_entry_pkey PRIMARY KEY (partner_id, id),
  constraint processor_entry_partner_id_source_id_key UNIQUE (partner_id, source_id),
  constraint processor_entry_partner_id_deposit_id_fkey FOREIGN KEY (partner_id, deposit_id) REFERENCES deposit(partner_id, id),
  constraint processor_entry_partner_id_payment_method_id_fkey FOREIGN KEY (partner_id, payment_method_id) REFERENCES payment_method(partner_id, id),
  constraint processor_entry_partner_id_tenant_id_fkey FOREIGN KEY (partner_id, tenant_id) REFERENCES tenant(partner_id, id),
  constraint processor_entry_amount_in_cents_check CHECK ((amount_in_cents <> 0)),
  constraint processor_entry_check CHECK (((deposit_id IS NULL) = (deposited_in_cents IS NULL)))
);
CREATE INDEX processor_entry_deposit ON public.processor_entry USING btree (partner_id, deposit_id) WHERE (deposit_id IS NOT NULL);
CREATE INDEX processor_entry_tenant ON public.processor_entry USING btree (partner_id, tenant_id) WHERE (deposit_id IS NULL);
CREATE INDEX processor_entry_waiting ON public.processor_entry USING btree (deposit_at) WHERE (deposit_id IS NULL);

create table processor_event (
  id text not null,
  tenant_id text not null,
  payment_id text not null,
  kind text not null,
  return_code text,
  occurs_at timestamp with time zone not null,
  handled_at timestamp with time zone,
  created_at timestamp with time zone not null,
  partner_id text not null,
  amount_in_cents bigint,
  dispute_ref text,
  constraint processor_event_pkey PRIMARY KEY (partner_id, id),
  constraint processor_event_partner_id_payment_id_fkey FOREIGN KEY (partner_id, payment_id) REFERENCES payment(partner_id, id),
  constraint processor_event_partner_id_tenant_id_fkey FOREIGN KEY (partner_id, tenant_id) REFERENCES tenant(partner_id, id),
  constraint processor_event_amount_check CHECK ((amount_in_cents > 0)),
  constraint processor_event_check CHECK (((kind = 'taken_back'::text) = (return_code IS NOT NULL))),
  constraint processor_event_id_check CHECK ((id ~~ 'pev\_%'::text)),
  constraint processor_event_kind_check CHECK ((kind = ANY (ARRAY['taken_back'::text, 'won'::text])))
);
CREATE INDEX processor_event_payment ON public.processor_event USING btree (partner_id, payment_id);
CREATE INDEX processor_event_tenant ON public.processor_event USING btree (partner_id, tenant_id) WHERE (handled_at IS NULL);
CREATE INDEX processor_event_waiting ON public.processor_event USING btree (occurs_at) WHERE (handled_at IS NULL);

create table processor_inbox (
  processor text not null,
  event_id text not null,
  body jsonb not null,
  received_at timestamp with time zone not null,
  due_at timestamp with time zone,
  tries integer not null default 0,
  ignored text,
  constraint processor_inbox_pkey PRIMARY KEY (processor, event_id)
);
CREATE INDEX processor_inbox_due ON public.processor_inbox USING btree (due_at) WHERE (due_at IS NOT NULL);
CREATE INDEX processor_inbox_ignored ON public.processor_inbox USING btree (received_at) WHERE (ignored IS NOT NULL);
CREATE INDEX processor_inbox_received ON public.processor_inbox USING btree (received_at) WHERE (due_at IS NULL);

create table processor_sweep (
  processor text not null,
  swept_until timestamp with time zone not null,
  due_at timestamp with time zone not null,
  constraint processor_sweep_pkey PRIMARY KEY (processor)
);

create table program_terms (
  version text not null,
  partner_id text,
  state text,
  effective_from date not null,
  terms jsonb not null,
  sha256 bytea not null,
  created_by text not null,
  reason text not null,
  created_at timestamp with time zone not null,
  constraint program_terms_pkey PRIMARY KEY (version),
  constraint program_terms_partner_id_fkey FOREIGN KEY (partner_id) REFERENCES partner(id),
  constraint program_terms_sha256_check CHECK ((octet_length(sha256) = 32)),
  constraint program_terms_state_check CHECK ((state ~ '^[A-Z]{2}$'::text)),
  constraint program_terms_terms_check CHECK ((jsonb_typeof(terms) = 'object'::text)),
  constraint program_terms_version_check CHECK ((version ~~ 'trm\_%'::text))
);
CREATE INDEX program_terms_partner ON public.program_terms USING btree (partner_id);
CREATE TRIGGER program_terms_immutable BEFORE DELETE OR UPDATE ON public.program_terms FOR EACH ROW EXECUTE FUNCTION program_terms_refuse_change();
CREATE TRIGGER program_terms_no_truncate BEFORE TRUNCATE ON public.program_terms FOR EACH STATEMENT EXECUTE FUNCTION program_terms_refuse_change();

create table queue_item_note (
  queue text not null,
  item_id text not null,
  owner text,
  snoozed_until timestamp with time zone,
  noted_at timestamp with time zone not null,
  noted_by text not null,
  constraint queue_item_note_pkey PRIMARY KEY (queue, item_id)
);

create table rate_limit_bucket (
  client text collate "C" not null,
  tokens double precision not null,
  refilled_at timestamp with time zone not null,
  constraint rate_limit_bucket_pkey PRIMARY KEY (client)
);

create table recorded_call (
  partner_id text not null,
  id text not null,
  tenant_id text not null,
  call text not null,
  input_sealed bytea not null,
  product_variant text,
  result_ids text[] not null,
  refused text,
  began_at timestamp with time zone,
  called_at timestamp with time zone not null,
  clock_offset_ms bigint,
  constraint recorded_call_pkey PRIMARY KEY (partner_id, id),
  constraint recorded_call_partner_id_tenant_id_fkey FOREIGN KEY (partner_id, tenant_id) REFERENCES tenant(partner_id, id)
);
CREATE INDEX recorded_call_by_tenant ON public.recorded_call USING btree (partner_id, tenant_id, id);

create table refund (
  id text not null,
  settlement_id text not null,
  charge_id text collate "C",
  amount_in_cents bigint not null,
  credited_in_cents bigint not null,
  paid_back_in_cents bigint not null,
  processor_transaction_id text,
  reason text,
  occurred_at timestamp with time zone not null,
  created_at timestamp with time zone not null,
  partner_id text not null,
  deducted boolean not null default false,
  constraint refund_pkey PRIMARY KEY (partner_id, id),
  constraint refund_partner_id_settlement_id_fkey FOREIGN KEY (partner_id, settlement_id) REFERENCES settlement(partner_id, id),
  constraint refund_amount_in_cents_check CHECK ((amount_in_cents > 0)),
  constraint refund_check CHECK ((amount_in_cents = (credited_in_cents + paid_back_in_cents))),
  constraint refund_credited_in_cents_check CHECK ((credited_in_cents >= 0)),
  constraint refund_id_check CHECK ((id ~~ 'rfd\_%'::text)),
  constraint refund_paid_back_in_cents_check CHECK ((paid_back_in_cents >= 0))
);
CREATE INDEX refund_settlement ON public.refund USING btree (partner_id, settlement_id, id DESC);

create table request_log (
  partner_id text not null,
  id text collate "C" not null,
  key_id text not null,
  occurred_at timestamp with time zone not null,
  method text not null,
  path text not null,
  status integer not null,
  duration_ms integer not null,
  code text,
  external_id text collate "C",
  user_agent text,
  query json not null,
  request_body json,
  error json,
  constraint request_log_pkey PRIMARY KEY (partner_id, id),
  constraint request_log_partner_id_fkey FOREIGN KEY (partner_id) REFERENCES partner(id),
  constraint request_log_id_check CHECK ((id ~~ 'req\_%'::text)),
  constraint request_log_status_check CHECK (((status >= 100) AND (status <= 599)))
);
CREATE INDEX request_log_age ON public.request_log USING btree (occurred_at);
CREATE INDEX request_log_external_id ON public.request_log USING btree (partner_id, external_id, id DESC) WHERE (external_id IS NOT NULL);
CREATE INDEX request_log_failed ON public.request_log USING btree (partner_id, id DESC) WHERE (status >= 400);

create table review (
  application_id text not null,
  facts jsonb not null,
  attempts integer not null default 0,
  due_at timestamp with time zone not null,
  last_failure text,
  partner_id text not null,
  taken_by text,
  taken_at timestamp with time zone,
  details_sealed bytea,
  constraint review_pkey PRIMARY KEY (partner_id, application_id),
  constraint review_partner_id_application_id_fkey FOREIGN KEY (partner_id, application_id) REFERENCES application(partner_id, id)
);
CREATE INDEX review_due ON public.review USING btree (due_at);

create table risk_key (
  partner_id text not null,
  key_sealed bytea not null,
  constraint risk_key_pkey PRIMARY KEY (partner_id),
  constraint risk_key_partner_id_fkey FOREIGN KEY (partner_id) REFERENCES partner(id)
);

create table risk_mark (
  partner_id text not null,
  kind text not null,
  mark bytea not null,
  tenant_id text not null,
  marked_at timestamp with time zone not null,
  constraint risk_mark_pkey PRIMARY KEY (partner_id, kind, mark, tenant_id),
  constraint risk_mark_partner_id_tenant_id_fkey FOREIGN KEY (partner_id, tenant_id) REFERENCES tenant(partner_id, id),
  constraint risk_mark_kind_check CHECK ((kind = ANY (ARRAY['account'::text, 'address'::text]))),
  constraint risk_mark_mark_check CHECK ((octet_length(mark) = 32))
);
CREATE INDEX risk_mark_tenant ON public.risk_mark USING btree (partner_id, tenant_id);

create table saved_view (
  id text not null,
  operator_id text not null,
  name text not null,
  address text not null,
  created_at timestamp with time zone not null,
  constraint saved_view_pkey PRIMARY KEY (id),
  constraint saved_view_operator_id_fkey FOREIGN KEY (operator_id) REFERENCES operator(id)
);
CREATE INDEX saved_view_operator ON public.saved_view USING btree (operator_id);

create table settlement (
  id text not null,
  partner_id text not null,
  tenant_id text not null,
  plan_id text not null,
  status text not null,
  amount_in_cents bigint not null,
  rent_cycle_date date not null,
  debit_by date not null,
  processor_transaction_id text,
  failure_reason text,
  version integer not null default 1,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  stale_after date not null,
  payout_id text,
  constraint settlement_pkey PRIMARY KEY (partner_id, id),
  constraint settlement_partner_id_plan_id_key UNIQUE (partner_id, plan_id),
  constraint settlement_partner_id_plan_id_fkey FOREIGN KEY (partner_id, plan_id) REFERENCES plan(partner_id, id),
  constraint settlement_partner_id_tenant_id_fkey FOREIGN KEY (partner_id, tenant_id) REFERENCES tenant(partner_id, id),
  constraint settlement_amount_in_cents_check CHECK ((amount_in_cents > 0)),
  constraint settlement_id_check CHECK ((id ~~ 'stl\_%'::text)),
  constraint settlement_status_check CHECK ((status = ANY (ARRAY['unsettled'::text, 'unverified'::text, 'verified'::text, 'failed'::text, 'returned'::text])))
);
CREATE INDEX settlement_payout ON public.settlement USING btree (partner_id, payout_id) WHERE (payout_id IS NOT NULL);
CREATE INDEX settlement_status ON public.settlement USING btree (partner_id, status, id DESC);
CREATE INDEX settlement_tenant ON public.settlement USING btree (partner_id, tenant_id, id DESC);
CREATE TRIGGER settlement_follows_payout BEFORE UPDATE OF status ON public.settlement FOR EACH ROW WHEN (((old.status IS DISTINCT FROM new.status) AND (new.status = ANY (ARRAY['unverified'::text, 'verified'::text])))) EXECUTE FUNCTION settlement_check_payout();

create table simulator_call (
  partner_id text not null,
  key text not null,
  tenant_id text not null,
  kind text not null,
  of_key text,
  account text,
  amount_in_cents bigint not null,
  state text not null,
  return_code text,
  created_at timestamp with time zone not null,
  constraint simulator_call_pkey PRIMARY KEY (partner_id, key),
  constraint simulator_call_check CHECK (((state = 'failed'::text) = (return_code IS NOT NULL))),
  constraint simulator_call_kind_check CHECK ((kind = ANY (ARRAY['charge'::text, 'refund'::text]))),
  constraint simulator_call_state_check CHECK ((state = ANY (ARRAY['processing'::text, 'succeeded'::text, 'failed'::text])))
);

create table simulator_event (
  partner_id text not null,
  id text not null,
  tenant_id text not null,
  key text not null,
  kind text not null,
  return_code text,
  occurs_at timestamp with time zone not null,
  sent_at timestamp with time zone,
  amount_in_cents bigint,
  constraint simulator_event_pkey PRIMARY KEY (partner_id, id),
  constraint simulator_event_partner_id_tenant_id_fkey FOREIGN KEY (partner_id, tenant_id) REFERENCES tenant(partner_id, id),
  constraint simulator_event_kind_check CHECK ((kind = ANY (ARRAY['outcome'::text, 'returned'::text, 'dispute_won'::text])))
);
CREATE INDEX simulator_event_tenant ON public.simulator_event USING btree (partner_id, tenant_id) WHERE (sent_at IS NULL);
CREATE INDEX simulator_event_waiting ON public.simulator_event USING btree (occurs_at) WHERE (sent_at IS NULL);

create table simulator_payout (
  key text not null,
  amount_in_cents bigint not null,
  refused boolean not null,
  paid_at timestamp with time zone,
  failed_at timestamp with time zone,
  returned_at timestamp with time zone,
  received_at timestamp with time zone not null,
  constraint simulator_payout_pkey PRIMARY KEY (key)
);

create table simulator_setup (
  partner_id text not null,
  id text not null,
  tenant_id text not null,
  ref text not null,
  bank text not null,
  url text not null,
  account_number text,
  canceled boolean not null default false,
  created_at timestamp with time zone not null,
  constraint simulator_setup_pkey PRIMARY KEY (partner_id, id),
  constraint simulator_setup_ref_key UNIQUE (ref),
  constraint simulator_setup_partner_id_tenant_id_fkey FOREIGN KEY (partner_id, tenant_id) REFERENCES tenant(partner_id, id),
  constraint simulator_setup_check CHECK (((NOT canceled) OR (account_number IS NULL)))
);
CREATE INDEX simulator_setup_tenant ON public.simulator_setup USING btree (partner_id, tenant_id);

create table tenant (
  id text not null,
  partner_id text not null,
  external_id text collate "C" not null,
  first_name text,
  last_name text,
  email text,
  phone_number text,
  product_variant text,
  lease jsonb,
  time_zone text not null default 'UTC'::text,
  return_url text,
  metadata jsonb not null default '{}'::jsonb,
  underwriting_result text,
  decline_reasons text[] not null default '{}'::text[],
  simulated_cycle_date date,
  clock_offset_ms bigint,
  eligibility_state text,
  eligibility_reason text,
  version integer not null default 1,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  pending_payment_failures text[] not null default '{}'::text[],
  locale text,
  turns_at timestamp with time zone,
  key_sealed bytea,
  personal bytea,
  email_hmac bytea,
  erased_at timestamp with time zone,
  paydays_sealed bytea,
  search_hashes integer[],
  simulated_terms_version text,
  constraint tenant_pkey PRIMARY KEY (partner_id, id),
  constraint tenant_partner_id_external_id_key UNIQUE (partner_id, external_id),
  constraint tenant_partner_id_fkey FOREIGN KEY (partner_id) REFERENCES partner(id),
  constraint tenant_check CHECK (((simulated_cycle_date IS NULL) OR (clock_offset_ms IS NOT NULL))),
  constraint tenant_external_id_check CHECK (((char_length(external_id) >= 1) AND (char_length(external_id) <= 255))),
  constraint tenant_id_check CHECK ((id ~~ 'ten\_%'::text)),
  constraint tenant_product_variant_check CHECK ((product_variant = ANY (ARRAY['rent'::text, 'hoa'::text]))),
  constraint tenant_underwriting_result_check CHECK ((underwriting_result = ANY (ARRAY['WILL_BE_APPROVED'::text, 'WILL_BE_DECLINED'::text])))
);
CREATE INDEX tenant_lease ON public.tenant USING btree (partner_id, ((lease ->> 'id'::text))) WHERE (lease IS NOT NULL);
CREATE INDEX tenant_search ON public.tenant USING btree (partner_id, lower(external_id), external_id);
CREATE INDEX tenant_search_hashes ON public.tenant USING gin (search_hashes);
CREATE INDEX tenant_simulated ON public.tenant USING btree (partner_id, id) WHERE (clock_offset_ms IS NOT NULL);
CREATE INDEX tenant_turns_at ON public.tenant USING btree (turns_at) WHERE (turns_at IS NOT NULL);

create table tenant_document (
  partner_id text not null,
  tenant_id text not null,
  kind text not null,
  subject_id text not null,
  locale text not null,
  revision text not null,
  content_sealed bytea not null,
  created_at timestamp with time zone not null,
  constraint tenant_document_pkey PRIMARY KEY (partner_id, tenant_id, kind, subject_id, locale, revision),
  constraint tenant_document_partner_id_tenant_id_fkey FOREIGN KEY (partner_id, tenant_id) REFERENCES tenant(partner_id, id),
  constraint tenant_document_kind_check CHECK ((kind = ANY (ARRAY['agreement'::text, 'receipt'::text, 'notice'::text, 'payoff'::text, 'statement'::text])))
);

create table tenant_due (
  tenant_id text not null,
  due_at timestamp with time zone not null,
  partner_id text not null,
  constraint tenant_due_pkey PRIMARY KEY (partner_id, tenant_id),
  constraint tenant_due_partner_id_tenant_id_fkey FOREIGN KEY (partner_id, tenant_id) REFERENCES tenant(partner_id, id)
);
CREATE INDEX tenant_due_at ON public.tenant_due USING btree (due_at);

create table tenant_fork (
  partner_id text not null,
  tenant_id text not null,
  forked_from text not null,
  forked_at text,
  reproduced_events integer not null,
  change jsonb,
  constraint tenant_fork_pkey PRIMARY KEY (partner_id, tenant_id),
  constraint tenant_fork_partner_id_tenant_id_fkey FOREIGN KEY (partner_id, tenant_id) REFERENCES tenant(partner_id, id)
);

create table tenant_token (
  secret_sha256 bytea not null,
  tenant_id text not null,
  product_variant text,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  exchanged_at timestamp with time zone,
  exchange_nonce_sha256 bytea,
  by_mail boolean not null default false,
  email_sha256 bytea,
  failed_tries integer not null default 0,
  partner_id text not null,
  email_hmac bytea,
  constraint tenant_token_pkey PRIMARY KEY (secret_sha256),
  constraint tenant_token_partner_id_tenant_id_fkey FOREIGN KEY (partner_id, tenant_id) REFERENCES tenant(partner_id, id),
  constraint tenant_token_check CHECK (((exchanged_at IS NULL) = (exchange_nonce_sha256 IS NULL))),
  constraint tenant_token_email_sha256_check CHECK ((octet_length(email_sha256) = 32)),
  constraint tenant_token_failed_tries_check CHECK (((failed_tries >= 0) AND (failed_tries <= 5))),
  constraint tenant_token_product_variant_check CHECK ((product_variant = ANY (ARRAY['rent'::text, 'hoa'::text]))),
  constraint tenant_token_secret_sha256_check CHECK ((octet_length(secret_sha256) = 32))
);
CREATE INDEX tenant_token_expiry ON public.tenant_token USING btree (expires_at);

create table tenant_unmasking (
  partner_id text not null,
  tenant_id text not null,
  session_id text not null,
  expires_at timestamp with time zone not null,
  constraint tenant_unmasking_pkey PRIMARY KEY (partner_id, tenant_id, session_id),
  constraint tenant_unmasking_partner_id_tenant_id_fkey FOREIGN KEY (partner_id, tenant_id) REFERENCES tenant(partner_id, id)
);

create table test_preset (
  id text not null,
  partner_id text not null,
  name text not null,
  event_type text not null,
  body text not null,
  saved_at timestamp with time zone not null,
  constraint test_preset_pkey PRIMARY KEY (partner_id, id),
  constraint test_preset_partner_id_name_key UNIQUE (partner_id, name),
  constraint test_preset_partner_id_fkey FOREIGN KEY (partner_id) REFERENCES partner(id),
  constraint test_preset_body_check CHECK ((octet_length(body) <= 65536)),
  constraint test_preset_id_check CHECK ((id ~~ 'tpr\_%'::text)),
  constraint test_preset_name_check CHECK (((char_length(name) >= 1) AND (char_length(name) <= 60)))
);

create table text_consent (
  partner_id text not null,
  id text not null,
  tenant_id text not null,
  number_sealed bytea not null,
  number_hmac bytea not null,
  consent_text text not null,
  consent_version text not null,
  locale text not null,
  code_hmac bytea,
  code_expires_at timestamp with time zone not null,
  tries_left integer not null,
  requested_at timestamp with time zone not null,
  confirmed_at timestamp with time zone,
  ended_at timestamp with time zone,
  ended_by text,
  constraint text_consent_pkey PRIMARY KEY (partner_id, id),
  constraint text_consent_partner_id_tenant_id_fkey FOREIGN KEY (partner_id, tenant_id) REFERENCES tenant(partner_id, id),
  constraint text_consent_check CHECK (((ended_at IS NULL) = (ended_by IS NULL))),
  constraint text_consent_code_hmac_check CHECK ((octet_length(code_hmac) = 32)),
  constraint text_consent_ended_by_check CHECK ((ended_by = ANY (ARRAY['tenant'::text, 'stop'::text, 'replaced'::text, 'undeliverable'::text]))),
  constraint text_consent_number_hmac_check CHECK ((octet_length(number_hmac) = 32)),
  constraint text_consent_tries_left_check CHECK ((tries_left >= 0))
);
CREATE UNIQUE INDEX text_consent_active ON public.text_consent USING btree (partner_id, tenant_id) WHERE ((confirmed_at IS NOT NULL) AND (ended_at IS NULL));
CREATE INDEX text_consent_number ON public.text_consent USING btree (number_hmac);
CREATE INDEX text_consent_requested ON public.text_consent USING btree (partner_id, requested_at);
CREATE INDEX text_consent_tenant ON public.text_consent USING btree (partner_id, tenant_id, requested_at);
CREATE INDEX text_consent_unconfirmed ON public.text_consent USING btree (requested_at) WHERE (confirmed_at IS NULL);

create table text_inbound (
  id text not null,
  received_at timestamp with time zone not null,
  constraint text_inbound_pkey PRIMARY KEY (id)
);
CREATE INDEX text_inbound_received ON public.text_inbound USING btree (received_at);

create table text_message (
  partner_id text not null,
  id text not null,
  tenant_id text not null,
  consent_id text not null,
  type text not null,
  data jsonb not null,
  simulated boolean not null,
  attempts integer not null default 0,
  due_at timestamp with time zone,
  created_at timestamp with time zone not null,
  sent_at timestamp with time zone,
  provider_ref text,
  failure text,
  constraint text_message_pkey PRIMARY KEY (partner_id, id),
  constraint text_message_partner_id_tenant_id_fkey FOREIGN KEY (partner_id, tenant_id) REFERENCES tenant(partner_id, id),
  constraint text_message_type_check CHECK ((type = ANY (ARRAY['installment.upcoming'::text, 'installment.failed'::text, 'plan.past_due'::text])))
);
CREATE INDEX text_message_created ON public.text_message USING btree (created_at);
CREATE INDEX text_message_due ON public.text_message USING btree (due_at) WHERE (due_at IS NOT NULL);
CREATE INDEX text_message_tenant ON public.text_message USING btree (partner_id, tenant_id, id);

create table unapproved_amount (
  id text not null,
  operator text not null,
  command text not null,
  amount_in_cents bigint not null,
  moved_at timestamp with time zone not null,
  constraint unapproved_amount_pkey PRIMARY KEY (id),
  constraint unapproved_amount_amount_in_cents_check CHECK ((amount_in_cents >= 0))
);
CREATE INDEX unapproved_amount_operator ON public.unapproved_amount USING btree (operator, moved_at);

create table webhook_activity (
  endpoint_id text collate "C" not null,
  step_seconds integer not null,
  at timestamp with time zone not null,
  duration smallint not null,
  delivered integer not null,
  failed integer not null,
  owner text collate "C" not null,
  constraint webhook_activity_pkey PRIMARY KEY (owner, endpoint_id, step_seconds, at, duration),
  constraint webhook_activity_step_seconds_check CHECK ((step_seconds = ANY (ARRAY[60, 3600, 86400])))
);
CREATE INDEX webhook_activity_oldest ON public.webhook_activity USING btree (step_seconds, at);

create table webhook_attempts (
  owner text collate "C" not null,
  id text collate "C" not null,
  message_id text collate "C" not null,
  endpoint_id text collate "C" not null,
  trigger text not null,
  started_at timestamp with time zone not null,
  status smallint,
  error_class text,
  next_attempt_at timestamp with time zone,
  detail json not null,
  constraint webhook_attempts_pkey PRIMARY KEY (message_id, owner, id),
  constraint webhook_attempts_check CHECK (((error_class IS NULL) = ((status IS NOT NULL) AND ((status >= 200) AND (status <= 299))))),
  constraint webhook_attempts_id_check CHECK ((starts_with(id, 'att_'::text) AND (length(id) = 30))),
  constraint webhook_attempts_trigger_check CHECK ((trigger = ANY (ARRAY['schedule'::text, 'manual'::text, 'recover'::text, 'test'::text])))
) partition by RANGE (message_id);
CREATE INDEX webhook_attempts_failed ON ONLY public.webhook_attempts USING btree (owner, endpoint_id, message_id) WHERE ((error_class IS NOT NULL) AND (trigger <> 'test'::text));
CREATE INDEX webhook_attempts_succeeded ON ONLY public.webhook_attempts USING btree (owner, endpoint_id, message_id) WHERE ((error_class IS NULL) AND (trigger <> 'test'::text));

create table webhook_deliveries_open (
  message_id text collate "C" not null,
  endpoint_id text collate "C" not null,
  trigger text collate "C" not null default 'schedule'::text,
  due_at timestamp with time zone not null,
  step smallint not null default 0,
  epoch integer not null default 0,
  node text collate "C",
  lease_until timestamp with time zone,
  interrupted smallint not null default 0,
  owner text collate "C" not null,
  lane text collate "C",
  "position" bigint,
  constraint webhook_deliveries_open_pkey PRIMARY KEY (message_id, owner, endpoint_id, trigger),
  constraint webhook_deliveries_open_check CHECK (((trigger = 'schedule'::text) OR (step = 0))),
  constraint webhook_deliveries_open_check1 CHECK (((node IS NULL) = (lease_until IS NULL))),
  constraint webhook_deliveries_open_interrupted_check CHECK ((interrupted >= 0)),
  constraint webhook_deliveries_open_lane_check CHECK (((lane IS NULL) = ("position" IS NULL))),
  constraint webhook_deliveries_open_step_check CHECK (((step >= 0) AND (step <= 7))),
  constraint webhook_deliveries_open_trigger_check CHECK ((trigger = ANY (ARRAY['schedule'::text, 'manual'::text, 'recover'::text])))
) with (autovacuum_vacuum_scale_factor=0, autovacuum_vacuum_threshold=2000, autovacuum_vacuum_cost_delay=0, autovacuum_analyze_scale_factor=0, autovacuum_analyze_threshold=20000);
CREATE INDEX webhook_deliveries_open_due ON public.webhook_deliveries_open USING btree (owner, endpoint_id, due_at) WHERE (node IS NULL);
CREATE UNIQUE INDEX webhook_deliveries_open_lane_leased ON public.webhook_deliveries_open USING btree (owner, endpoint_id, lane) WHERE ((lane IS NOT NULL) AND (node IS NOT NULL));
CREATE INDEX webhook_deliveries_open_lanes ON public.webhook_deliveries_open USING btree (owner, endpoint_id, lane, "position", trigger) WHERE (lane IS NOT NULL);
CREATE INDEX webhook_deliveries_open_leased ON public.webhook_deliveries_open USING btree (owner, endpoint_id, message_id) WHERE (lease_until IS NOT NULL);
CREATE INDEX webhook_deliveries_open_pending ON public.webhook_deliveries_open USING btree (owner, endpoint_id, message_id) WHERE ((lease_until IS NULL) AND (step = 0) AND (trigger = 'schedule'::text));
CREATE INDEX webhook_deliveries_open_retrying ON public.webhook_deliveries_open USING btree (owner, endpoint_id, message_id) WHERE ((lease_until IS NULL) AND (step > 0));

create table webhook_deliveries_undelivered (
  message_id text collate "C" not null,
  endpoint_id text collate "C" not null,
  state text not null,
  reason text,
  ended_at timestamp with time zone not null,
  owner text collate "C" not null,
  constraint webhook_deliveries_undelivered_pkey PRIMARY KEY (message_id, owner, endpoint_id),
  constraint webhook_deliveries_undelivered_check CHECK (((state = 'skipped'::text) = (reason IS NOT NULL))),
  constraint webhook_deliveries_undelivered_state_check CHECK ((state = ANY (ARRAY['exhausted'::text, 'skipped'::text])))
);
CREATE INDEX webhook_deliveries_undelivered_by_state ON public.webhook_deliveries_undelivered USING btree (owner, endpoint_id, state, message_id);

create table webhook_endpoints (
  id text collate "C" not null,
  owner text collate "C" not null,
  url text not null,
  description text,
  event_types text[],
  state text not null default 'enabled'::text,
  disabled_reason text,
  auth_type text not null default 'none'::text,
  auth_name text,
  sealed_auth bytea,
  header_names text[] not null default '{}'::text[],
  sealed_headers bytea,
  throttle_per_second integer,
  disable_on_gone boolean not null default false,
  failing_since timestamp with time zone,
  version integer not null default 1,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  failing_warned_at timestamp with time zone,
  channels text[],
  uid text collate "C",
  metadata jsonb not null default '{}'::jsonb,
  honor_retry_after boolean not null default false,
  filter jsonb,
  ordered boolean not null default false,
  public_keys jsonb,
  sealed_private_keys bytea,
  constraint webhook_endpoints_pkey PRIMARY KEY (owner, id),
  constraint webhook_endpoints_auth_type_check CHECK ((auth_type = ANY (ARRAY['none'::text, 'basic'::text, 'header'::text]))),
  constraint webhook_endpoints_channels_check CHECK (((cardinality(channels) >= 1) AND (cardinality(channels) <= 10))),
  constraint webhook_endpoints_check CHECK (((state = 'disabled'::text) = (disabled_reason IS NOT NULL))),
  constraint webhook_endpoints_check1 CHECK (((auth_type = 'none'::text) = (auth_name IS NULL))),
  constraint webhook_endpoints_check2 CHECK (((auth_name IS NOT NULL) OR (sealed_auth IS NULL))),
  constraint webhook_endpoints_description_check CHECK (((length(description) >= 1) AND (length(description) <= 500))),
  constraint webhook_endpoints_event_types_check CHECK (((cardinality(event_types) >= 1) AND (cardinality(event_types) <= 100))),
  constraint webhook_endpoints_header_names_check CHECK ((cardinality(header_names) <= 20)),
  constraint webhook_endpoints_id_check CHECK ((id ~ '^ep_[0-9a-z]{26}$'::text)),
  constraint webhook_endpoints_owner_check CHECK ((owner <> ''::text)),
  constraint webhook_endpoints_state_check CHECK ((state = ANY (ARRAY['enabled'::text, 'disabled'::text, 'deleted'::text]))),
  constraint webhook_endpoints_throttle_per_second_check CHECK (((throttle_per_second >= 1) AND (throttle_per_second <= 10000))),
  constraint webhook_endpoints_uid_check CHECK (((uid ~ '^[A-Za-z0-9_.-]{1,100}$'::text) AND (uid !~ '^ep_'::text))),
  constraint webhook_endpoints_url_check CHECK (((length(url) >= 1) AND (length(url) <= 2048)))
);
CREATE UNIQUE INDEX webhook_endpoints_by_uid ON public.webhook_endpoints USING btree (owner, uid) WHERE ((uid IS NOT NULL) AND (state <> 'deleted'::text));
CREATE INDEX webhook_endpoints_deleted ON public.webhook_endpoints USING btree (owner, id) WHERE (state = 'deleted'::text);
CREATE INDEX webhook_endpoints_keys_expire ON public.webhook_endpoints USING btree ((((public_keys -> '-1'::integer) ->> 'expires_at'::text)) COLLATE "C") WHERE (((public_keys -> '-1'::integer) ->> 'expires_at'::text) IS NOT NULL);

create table webhook_last_failures (
  endpoint_id text collate "C" not null,
  at timestamp with time zone not null,
  error_class text not null,
  status smallint,
  hint text not null,
  owner text collate "C" not null,
  constraint webhook_last_failures_pkey PRIMARY KEY (owner, endpoint_id)
);

create table webhook_leases (
  id bigint not null generated always as identity,
  node text collate "C" not null,
  lease_until timestamp with time zone not null,
  due_at timestamp with time zone not null,
  message_ids text[] collate "C" not null,
  endpoint_ids text[] collate "C" not null,
  owners text[] collate "C" not null,
  constraint webhook_leases_pkey PRIMARY KEY (id),
  constraint webhook_leases_check CHECK (((cardinality(message_ids) > 0) AND (cardinality(message_ids) = cardinality(endpoint_ids)))),
  constraint webhook_leases_check1 CHECK ((cardinality(owners) = cardinality(message_ids)))
) with (autovacuum_vacuum_scale_factor=0, autovacuum_vacuum_threshold=500, autovacuum_vacuum_cost_delay=0);

create table webhook_messages (
  id text collate "C" not null,
  sequence bigint not null default nextval('webhook_messages_sequence_seq'::regclass),
  inserted_by xid8 not null default pg_current_xact_id(),
  owner text collate "C" not null,
  subject text collate "C",
  type text collate "C" not null,
  body text not null,
  custom boolean not null default false,
  operational boolean not null default false,
  test boolean not null default false,
  created_at timestamp with time zone not null,
  expunged_at timestamp with time zone,
  channels text[],
  constraint webhook_messages_pkey PRIMARY KEY (owner, id) INCLUDE (test),
  constraint webhook_messages_channels_check CHECK (((cardinality(channels) >= 1) AND (cardinality(channels) <= 10))),
  constraint webhook_messages_id_check CHECK ((starts_with(id, 'evt_'::text) AND (length(id) = 30))),
  constraint webhook_messages_owner_check CHECK ((owner <> ''::text)),
  constraint webhook_messages_type_check CHECK ((type <> ''::text))
) partition by RANGE (id);
CREATE INDEX webhook_messages_by_subject ON ONLY public.webhook_messages USING btree (owner, subject, id) WHERE ((subject IS NOT NULL) AND (NOT test));
CREATE INDEX webhook_messages_by_type ON ONLY public.webhook_messages USING btree (owner, type, id) WHERE (NOT test);
CREATE INDEX webhook_messages_expunged ON ONLY public.webhook_messages USING btree (expunged_at) WHERE (expunged_at IS NOT NULL);
CREATE INDEX webhook_messages_feed ON ONLY public.webhook_messages USING btree (owner, inserted_by, sequence) WHERE ((NOT test) AND (expunged_at IS NULL));

create table webhook_nodes (
  id text collate "C" not null,
  beat_at timestamp with time zone not null,
  constraint webhook_nodes_pkey PRIMARY KEY (id)
);

create table webhook_replay_messages (
  replay_id text collate "C" not null,
  message_id text collate "C" not null,
  sent_at timestamp with time zone,
  owner text collate "C" not null,
  constraint webhook_replay_messages_pkey PRIMARY KEY (owner, replay_id, message_id),
  constraint webhook_replay_messages_owner_replay_id_fkey FOREIGN KEY (owner, replay_id) REFERENCES webhook_replays(owner, id) ON DELETE CASCADE
);

create table webhook_replays (
  id text collate "C" not null,
  owner text collate "C" not null,
  endpoint_id text collate "C" not null,
  since timestamp with time zone not null,
  until timestamp with time zone not null,
  states text[] not null,
  event_types text[],
  rate_per_second integer,
  state text not null default 'running'::text,
  reached text collate "C",
  paced_until timestamp with time zone not null,
  total integer not null,
  replayed integer not null default 0,
  delivered integer not null default 0,
  failed integer not null default 0,
  created_at timestamp with time zone not null,
  finished_at timestamp with time zone,
  status_class text,
  error_class text,
  subject text collate "C",
  channel text,
  constraint webhook_replays_pkey PRIMARY KEY (owner, id),
  constraint webhook_replays_check CHECK ((since < until)),
  constraint webhook_replays_check1 CHECK (((finished_at IS NULL) OR (state = ANY (ARRAY['canceled'::text, 'completed'::text])))),
  constraint webhook_replays_check2 CHECK (((delivered + failed) <= replayed)),
  constraint webhook_replays_event_types_check CHECK (((cardinality(event_types) >= 1) AND (cardinality(event_types) <= 100))),
  constraint webhook_replays_id_check CHECK ((id ~ '^rpl_[0-9a-z]{26}$'::text)),
  constraint webhook_replays_owner_check CHECK ((owner <> ''::text)),
  constraint webhook_replays_rate_per_second_check CHECK (((rate_per_second >= 1) AND (rate_per_second <= 10000))),
  constraint webhook_replays_reached_check CHECK (((reached = 'all'::text) OR (reached ~~ 'evt\_%'::text))),
  constraint webhook_replays_replayed_check CHECK ((replayed >= 0)),
  constraint webhook_replays_state_check CHECK ((state = ANY (ARRAY['running'::text, 'paused'::text, 'canceled'::text, 'completed'::text]))),
  constraint webhook_replays_states_check CHECK (((cardinality(states) > 0) AND (states <@ ARRAY['failed'::text, 'delivered'::text, 'never_attempted'::text, 'skipped'::text]))),
  constraint webhook_replays_status_class_check CHECK ((status_class = ANY (ARRAY['none'::text, '1xx'::text, '2xx'::text, '3xx'::text, '4xx'::text, '5xx'::text]))),
  constraint webhook_replays_total_check CHECK ((total >= 0))
);
CREATE INDEX webhook_replays_by_endpoint ON public.webhook_replays USING btree (owner, endpoint_id, id);
CREATE INDEX webhook_replays_unfinished ON public.webhook_replays USING btree (owner, endpoint_id, id) WHERE (finished_at IS NULL);

create table webhook_secrets (
  endpoint_id text collate "C" not null,
  ordinal integer not null,
  sealed bytea not null,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone,
  owner text collate "C" not null,
  constraint webhook_secrets_pkey PRIMARY KEY (owner, endpoint_id, ordinal),
  constraint webhook_secrets_owner_endpoint_id_fkey FOREIGN KEY (owner, endpoint_id) REFERENCES webhook_endpoints(owner, id) ON DELETE CASCADE,
  constraint webhook_secrets_ordinal_check CHECK ((ordinal > 0))
);
CREATE UNIQUE INDEX webhook_secrets_current ON public.webhook_secrets USING btree (owner, endpoint_id) WHERE (expires_at IS NULL);

create view webhook_deliveries as
 SELECT o.owner,
    o.message_id,
    o.endpoint_id,
        CASE
            WHEN (e.state = 'deleted'::text) THEN 'skipped'::text
            WHEN (o.node IS NOT NULL) THEN 'delivering'::text
            WHEN (e.state = 'disabled'::text) THEN 'held'::text
            WHEN (o.step = 0) THEN 'pending'::text
            ELSE 'retrying'::text
        END AS state,
        CASE
            WHEN (e.state = 'deleted'::text) THEN 'endpoint_deleted'::text
            ELSE NULL::text
        END AS reason,
        CASE
            WHEN ((e.state = 'enabled'::text) AND (o.node IS NULL) AND (o.due_at < '9999-01-01 00:00:00+00'::timestamp with time zone)) THEN o.due_at
            ELSE NULL::timestamp with time zone
        END AS next_attempt_at
   FROM (webhook_deliveries_open o
     JOIN webhook_endpoints e ON (((e.owner = o.owner) AND (e.id = o.endpoint_id))))
  WHERE (o.trigger = 'schedule'::text)
UNION ALL
 SELECT l.owner,
    l.message_id,
    l.endpoint_id,
        CASE
            WHEN (e.state = 'deleted'::text) THEN 'skipped'::text
            ELSE 'delivering'::text
        END AS state,
        CASE
            WHEN (e.state = 'deleted'::text) THEN 'endpoint_deleted'::text
            ELSE NULL::text
        END AS reason,
    NULL::timestamp with time zone AS next_attempt_at
   FROM (webhook_deliveries_leased l
     JOIN webhook_endpoints e ON (((e.owner = l.owner) AND (e.id = l.endpoint_id))))
UNION ALL
 SELECT u.owner,
    u.message_id,
    u.endpoint_id,
        CASE
            WHEN (replay.message_id IS NULL) THEN u.state
            ELSE 'delivering'::text
        END AS state,
    u.reason,
    NULL::timestamp with time zone AS next_attempt_at
   FROM (webhook_deliveries_undelivered u
     LEFT JOIN webhook_deliveries_open replay ON (((replay.owner = u.owner) AND (replay.message_id = u.message_id) AND (replay.endpoint_id = u.endpoint_id) AND (replay.node IS NOT NULL))))
  WHERE (NOT (EXISTS ( SELECT
           FROM webhook_attempts a
          WHERE ((a.owner = u.owner) AND (a.message_id = u.message_id) AND (a.endpoint_id = u.endpoint_id) AND (a.error_class IS NULL)))))
UNION ALL
 SELECT DISTINCT a.owner,
    a.message_id,
    a.endpoint_id,
        CASE
            WHEN (replay.message_id IS NULL) THEN 'delivered'::text
            ELSE 'delivering'::text
        END AS state,
    NULL::text AS reason,
    NULL::timestamp with time zone AS next_attempt_at
   FROM (webhook_attempts a
     LEFT JOIN webhook_deliveries_open replay ON (((replay.owner = a.owner) AND (replay.message_id = a.message_id) AND (replay.endpoint_id = a.endpoint_id) AND (replay.node IS NOT NULL))))
  WHERE (a.error_class IS NULL);

create view webhook_deliveries_leased as
 SELECT l.id AS lease_id,
    l.node,
    d.owner,
    d.message_id,
    d.endpoint_id,
    l.due_at
   FROM (webhook_leases l
     CROSS JOIN LATERAL UNNEST(l.owners, l.message_ids, l.endpoint_ids) d(owner, message_id, endpoint_id))
  WHERE ((NOT (EXISTS ( SELECT
           FROM webhook_attempts a
          WHERE ((a.owner = d.owner) AND (a.message_id = d.message_id) AND (a.endpoint_id = d.endpoint_id) AND ((a.trigger = 'schedule'::text) OR (a.error_class IS NULL)))
         OFFSET 0))) AND (NOT (EXISTS ( SELECT
           FROM webhook_deliveries_open o
          WHERE ((o.owner = d.owner) AND (o.message_id = d.message_id) AND (o.endpoint_id = d.endpoint_id) AND (o.trigger = 'schedule'::text))
         OFFSET 0))) AND (NOT (EXISTS ( SELECT
           FROM webhook_deliveries_undelivered u
          WHERE ((u.owner = d.owner) AND (u.message_id = d.message_id) AND (u.endpoint_id = d.endpoint_id))
         OFFSET 0))));

CREATE OR REPLACE FUNCTION public.audit_delete_expired(kept_since timestamp with time zone, most integer)
 RETURNS bigint
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  deleted bigint;
  before_time timestamptz := kept_since;
begin
  if not has_table_privilege(session_user, 'audit_entry', 'delete') then
    before_time := least(before_time, clock_timestamp() - interval '400 days');
  end if;
  perform set_config('svc.audit_kept_since', before_time::text, true);
  delete from audit_entry where (partner_id, id) in (
    select partner_id, id from audit_entry where occurred_at < before_time
    order by occurred_at limit most);
  get diagnostics deleted = row_count;
  perform set_config('svc.audit_kept_since', '', true);
  return deleted;
end $function$
;

CREATE OR REPLACE FUNCTION public.audit_note_unsealed()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into audit_unsealed (partner_id, entry_id) select partner_id, id from added;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION public.audit_refuse_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_op = 'DELETE'
    and old.occurred_at < nullif(current_setting('svc.audit_kept_since', true), '')::timestamptz
  then
    return old;
  end if;
  raise exception 'the audit log is append-only';
end $function$
;

CREATE OR REPLACE FUNCTION public.audit_seal_refuse_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  raise exception 'the seals of the audit log are append-only';
end $function$
;

CREATE OR REPLACE FUNCTION public.books_check_line_removal()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if old.statement_id = current_setting('svc.replaced_statement', true) and old.match_id is null then
    return old;
  end if;
  raise exception 'bank_line cannot be changed';
end $function$
;

CREATE OR REPLACE FUNCTION public.books_check_statement_removal()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if old.id = current_setting('svc.replaced_statement', true) and not exists (
    select from book_seal c where c.action = 'close' and c.day >= old.from_day
      and not exists (select from book_seal r
        where r.day = c.day and r.action = 'reopen' and r.number > c.number)) then
    return old;
  end if;
  raise exception 'bank_statement cannot be changed';
end $function$
;

CREATE OR REPLACE FUNCTION public.books_refuse_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  raise exception '% cannot be changed', tg_table_name;
end $function$
;

CREATE OR REPLACE FUNCTION public.ledger_check_added()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  unbalanced text;
begin
  select a.transfer_id into unbalanced
    from (select distinct partner_id, transfer_id from added) a
    where (select sum(e.amount_in_cents) from ledger_entry e
      where e.partner_id = a.partner_id and e.transfer_id = a.transfer_id) <> 0 limit 1;
  if found then
    raise exception 'transfer % does not balance', unbalanced;
  end if;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION public.ledger_check_balance()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  total bigint;
  lines integer;
begin
  select coalesce(sum(amount_in_cents), 0), count(*) into total, lines
    from ledger_entry where partner_id = new.partner_id and transfer_id = new.id;
  if total <> 0 or lines < 2 then
    raise exception 'transfer % does not balance: % cents over % entries', new.id, total, lines;
  end if;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION public.ledger_note_added()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into ledger_transfer_source (partner_id, source_id, kind, transfer_id)
    select partner_id, source_id, kind, id from added;
  insert into ledger_unsealed (partner_id, transfer_id) select partner_id, id from added;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION public.ledger_refuse_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  raise exception 'the ledger is append-only: post a reversing transfer instead';
end $function$
;

CREATE OR REPLACE FUNCTION public.lending_rule_refuse_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  raise exception 'lending rules never change: set a new one instead';
end $function$
;

CREATE OR REPLACE FUNCTION public.payout_check_lines()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  lines record;
begin
  select count(*) as count, coalesce(sum(amount_in_cents), 0) as amount into lines
  from payout_line where partner_id = new.partner_id and payout_id = new.id;
  if lines.count <> new.line_count or lines.amount <> new.amount_in_cents then
    raise exception 'payout % of % cents in % lines has % lines of % cents', new.id,
      new.amount_in_cents, new.line_count, lines.count, lines.amount;
  end if;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION public.payout_refuse_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  raise exception '% cannot be changed', tg_table_name;
end $function$
;

CREATE OR REPLACE FUNCTION public.plan_refuse_new_terms()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if (old.terms_version, old.disclosure_sha256, old.quote_id)
    is distinct from (new.terms_version, new.disclosure_sha256, new.quote_id)
  then
    raise exception 'plan % keeps the terms and the agreement that it was made with', old.id;
  end if;
  return new;
end $function$
;

CREATE OR REPLACE FUNCTION public.program_terms_refuse_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  raise exception 'program terms never change: apply a new version instead';
end $function$
;

CREATE OR REPLACE FUNCTION public.settlement_check_payout()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if new.payout_id is not null then
    if not exists (select from payout p where p.partner_id = new.partner_id and p.id = new.payout_id
        and p.status = case new.status when 'unverified' then 'sent' else 'paid' end) then
      raise exception 'settlement % is paid by %, which is not %', new.id, new.payout_id, new.status;
    end if;
  elsif old.status = 'unsettled'
    and exists (select from payout_setting s where s.partner_id = new.partner_id) then
    raise exception 'settlement % is paid by the next payout', new.id;
  end if;
  return new;
end $function$
;

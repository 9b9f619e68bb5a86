-- Lists of the operator's console with their filters, which a person finds in the navigation.
-- oldest-service: 0.2.0
create table saved_view (
  id text primary key,
  operator_id text not null references operator (id),
  name text not null,
  -- Path and query of the page. Never personal data: no page has them in its address.
  address text not null,
  created_at timestamptz not null
);
create index saved_view_operator on saved_view (operator_id);

-- `state` alone says whether a run was complete, a run may use the partner's own tenants, and one of its
-- cases refuses the partner's report of a settlement for a while.
-- oldest-service: 0.2.0
-- contract: no release has the table
alter table certification drop constraint certification_state_check;
update certification set state = 'incomplete' where state = 'passed' and not is_complete;
alter table certification
  drop column is_complete,
  -- The partner's own tenants. Empty if the run makes its own.
  add column tenants text[] not null default '{}',
  add column refused_settlement_id text,
  add column refused_until timestamptz,
  add constraint certification_state_check
    check (state in ('running', 'passed', 'incomplete', 'failed', 'abandoned'));

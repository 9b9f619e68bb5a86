-- When a tenant's eligibility may next change by itself, wall time: a cycle that opens or closes.
alter table tenant add column turns_at timestamptz;
create index tenant_turns_at on tenant (turns_at) where turns_at is not null;
update tenant set turns_at = 'epoch' where eligibility_state is not null;

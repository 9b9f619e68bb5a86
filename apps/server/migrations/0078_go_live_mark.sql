-- The marks of each partner's go-live checklist.
-- oldest-service: 0.2.0

create table go_live_mark (
  partner_id text not null references partner (id),
  -- a name of goLiveItems in packages/contract/src/api/doctor.ts
  item text not null,
  marked_at timestamptz not null,
  primary key (partner_id, item)
);

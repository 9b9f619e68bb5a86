-- Where loans are offered and how much they may cost, by partner, state of the home and date. The operator's
-- counsel sets them. A row never changes; a new rule is a new row. Null for the partner or the state means all.
-- Rules are stored one after another and numbered in that order, so a process that knows the newest one knows
-- them all.
-- carried_over: stored by this migration, not by an operator. A state in which a plan was made in the last 12
-- months stays open without a limit, as it was, until somebody confirms that.
-- oldest-service: 0.2.0
create table lending_rule (
  number integer primary key,
  id text not null unique check (id like 'lnr\_%'),
  partner_id text references partner (id),
  state text check (state ~ '^[A-Z]{2}$'),
  effective_from date not null,
  rule jsonb not null check (jsonb_typeof(rule) = 'object'),
  carried_over boolean not null,
  created_by text not null,
  reason text not null,
  created_at timestamptz not null
);
create index lending_rule_partner on lending_rule (partner_id);

create function lending_rule_refuse_change() returns trigger language plpgsql as $$
begin
  raise exception 'lending rules never change: set a new one instead';
end $$;
create trigger lending_rule_immutable before update or delete on lending_rule
  for each row execute function lending_rule_refuse_change();
create trigger lending_rule_no_truncate before truncate on lending_rule
  for each statement execute function lending_rule_refuse_change();

insert into lending_rule (number, id, state, effective_from, rule, carried_over, created_by, reason, created_at)
select row_number() over (order by code), 'lnr_' || gen_random_uuid(), code, current_date - 1,
  '{"offered": true, "maximum_apr_bps": null}', true, 'migration', 'plans in the last 12 months', now()
from (
  select distinct names.code
  from plan p
    join tenant t on t.partner_id = p.partner_id and t.id = p.tenant_id
    join (values
      ('AL', 'alabama'), ('AK', 'alaska'), ('AS', 'american samoa'), ('AZ', 'arizona'), ('AR', 'arkansas'),
      ('CA', 'california'), ('CO', 'colorado'), ('CT', 'connecticut'), ('DE', 'delaware'),
      ('DC', 'district of columbia'), ('FL', 'florida'), ('GA', 'georgia'), ('GU', 'guam'), ('HI', 'hawaii'),
      ('ID', 'idaho'), ('IL', 'illinois'), ('IN', 'indiana'), ('IA', 'iowa'), ('KS', 'kansas'),
      ('KY', 'kentucky'), ('LA', 'louisiana'), ('ME', 'maine'), ('MD', 'maryland'), ('MA', 'massachusetts'),
      ('MI', 'michigan'), ('MN', 'minnesota'), ('MS', 'mississippi'), ('MO', 'missouri'), ('MT', 'montana'),
      ('NE', 'nebraska'), ('NV', 'nevada'), ('NH', 'new hampshire'), ('NJ', 'new jersey'),
      ('NM', 'new mexico'), ('NY', 'new york'), ('NC', 'north carolina'), ('ND', 'north dakota'),
      ('MP', 'northern mariana islands'), ('OH', 'ohio'), ('OK', 'oklahoma'), ('OR', 'oregon'),
      ('PA', 'pennsylvania'), ('PR', 'puerto rico'), ('RI', 'rhode island'), ('SC', 'south carolina'),
      ('SD', 'south dakota'), ('TN', 'tennessee'), ('TX', 'texas'), ('UT', 'utah'), ('VT', 'vermont'),
      ('VA', 'virginia'), ('VI', 'virgin islands'), ('WA', 'washington'), ('WV', 'west virginia'),
      ('WI', 'wisconsin'), ('WY', 'wyoming')) names (code, name)
      on lower(trim(regexp_replace(t.lease->'property'->>'state', '[\s.]+', ' ', 'g')))
        in (lower(names.code), names.name)
  where p.created_at > now() - interval '12 months') carried;

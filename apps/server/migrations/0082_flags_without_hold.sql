-- Held applications wait in the review queue, which has their facts, instead of with their flags.
-- oldest-service: 0.2.0
-- contract: no release has used these columns; the services that did were never released.
insert into review (partner_id, application_id, facts, due_at)
select f.partner_id, f.application_id, f.facts, '9999-12-31T00:00:00Z'
from application_flag f join application a on a.partner_id = f.partner_id and a.id = f.application_id
where f.held_since is not null and f.resolved_at is null and a.state = 'in_review'
on conflict do nothing;
alter table application_flag drop column facts, drop column held_since, drop column resolved_at;

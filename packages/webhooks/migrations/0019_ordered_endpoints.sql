-- Whether an endpoint gets each tenant's messages one after another, in the order of their events.
-- Releases before this column ignore it and send without order.
-- oldest-service: 0.2.0
alter table webhook_endpoints add column ordered boolean not null default false;

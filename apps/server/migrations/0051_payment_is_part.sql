-- A payment that succeeded and left a part of its installment unpaid.
-- oldest-service: 0.2.0
alter table payment add column is_part boolean not null default false;

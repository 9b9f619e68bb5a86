-- The history of a plan says that we waived its fee.
-- oldest-service: 0.2.0
-- contract: replaces the check of the history's kinds by one with more kinds
alter table plan_history
  drop constraint plan_history_kind_check,
  add constraint plan_history_kind_check check (kind in (
    'accepted', 'paid', 'failed', 'rescheduled', 'payment_method', 'autopay_enabled',
    'autopay_disabled', 'past_due', 'recovered', 'completed', 'canceled', 'charged_off', 'refunded',
    'credited', 'fee_waived', 'charge_changed', 'taken_back')) not valid;

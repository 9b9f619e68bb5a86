-- What the portal gave back and a tenant then need not pay, beside what is paid back to them.
alter table plan_history drop constraint plan_history_kind_check,
  add constraint plan_history_kind_check check (kind in ('accepted', 'paid', 'failed',
    'rescheduled', 'payment_method', 'autopay_enabled', 'autopay_disabled', 'past_due',
    'recovered', 'completed', 'canceled', 'charged_off', 'refunded', 'credited',
    'charge_changed'));

-- More events are mailed. A service before 0.3.0 fails to write a mail of a type that it does not know;
-- it records the failure, and the mail is tried again later.
-- oldest-service: 0.2.0
-- contract: replaces the check of the mails' types by one with more types
alter table mail
  drop constraint mail_type_check,
  add constraint mail_type_check check (type in (
    'plan.activated', 'plan.payment_method', 'plan.refunded', 'plan.past_due', 'plan.completed',
    'plan.charged_off', 'plan.canceled', 'application.declined', 'installment.upcoming',
    'installment.failed', 'installment.paid', 'installment.rescheduled', 'autopay.enabled',
    'autopay.disabled')) not valid;

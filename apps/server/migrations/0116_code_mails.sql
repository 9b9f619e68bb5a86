-- Mails with the code of a hosted link.
-- oldest-service: 0.2.0
-- contract: replaces the check of the mails' types by one with more types
alter table mail
  drop constraint mail_type_check,
  add constraint mail_type_check check (type in (
    'experience.code', 'plan.activated', 'plan.payment_method', 'plan.refunded', 'plan.past_due',
    'plan.completed', 'plan.charged_off', 'plan.canceled', 'application.declined',
    'installment.upcoming', 'installment.failed', 'installment.paid', 'installment.rescheduled',
    'autopay.enabled', 'autopay.disabled')) not valid;

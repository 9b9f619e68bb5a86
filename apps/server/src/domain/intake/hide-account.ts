import type { ExperienceState, PaymentMethodOutput, PlanManagement } from '@svc/contract';

/**
 * Hides the account's last four digits from a read-only session, because confirming such a
 * session asks for them. The agreement quotes them, so its text is left out.
 */
export function hideAccount(state: ExperienceState): ExperienceState {
  const { payment_method, management } = state;
  return {
    ...state,
    payment_method: payment_method && hideDigits(payment_method),
    management: management && hideAccountOf(management),
  };
}

export function hideAccountOf(management: PlanManagement): PlanManagement {
  const { payment_method, receipts, agreement } = management;
  return {
    ...management,
    payment_method: hideDigits(payment_method),
    receipts: receipts.map((it) => {
      const hidden = hideDigits(it.payment_method);
      return { ...it, payment_method: hidden, method: hidden.label };
    }),
    agreement: { ...agreement, text: '' },
  };
}

const hiddenDigits = '••••';

function hideDigits(method: PaymentMethodOutput): PaymentMethodOutput {
  const { last4, label } = method;
  return { ...method, last4: hiddenDigits, label: label.replace(last4, hiddenDigits) };
}

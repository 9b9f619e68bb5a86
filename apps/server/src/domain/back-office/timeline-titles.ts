import type { SettlementStatus } from '@svc/contract';
import type { TimelineKind } from '@svc/contract/operator';
import type { MailType } from '../../words/mail-types.ts';
import type { TransferKind } from '../ledger/post.ts';
import { failureFacts } from '../payments/return-codes.ts';
import type { HistoryLine } from '../plans/save-change.ts';

interface Entry {
  readonly state: string | null;
  readonly by: string | null;
  readonly details: Readonly<Record<string, unknown>>;
}

/** Describes what happened in a sentence, for people who do not know the API's terms. */
export const titles: Readonly<Record<TimelineKind, (entry: Entry) => string>> = {
  request: ({ state, details }) =>
    `The portal called ${details.method} ${details.path}, answered with ${state}${details.code ? ` ${details.code}` : ''}.`,
  application: ({ state }) => `The tenant applied. The application is ${spaced(state)}.`,
  decision: ({ state, by, details }) =>
    `The application was ${spaced(state)} by ${by === 'person' ? 'a person' : `the policy ${by}`}${reasonsOf(details.reasons)}.`,
  consent: ({ state, details }) =>
    consents[`${details.about}: ${state}`] ??
    `The tenant answered about ${details.about}: ${spaced(state)}.`,
  plan: ({ state, details }) => {
    const words = wordsOf(planWords, state).replace('{payment}', `Payment ${details.number}`);
    return `${words}${returnCodeSuffix(details.return_code)}.`;
  },
  payment: ({ state, details }) =>
    `Payment ${details.number}, attempt ${details.attempt} from ${details.method ?? 'an account'}: ${wordsOf(outcomes, state)}${returnCodeSuffix(details.return_code)}.`,
  dispute: ({ state, details }) =>
    `The bank ${state === 'won' ? 'gave a payment back to us' : 'took a payment back'}${returnCodeSuffix(details.return_code)}.`,
  settlement: ({ state }) =>
    `We owe the portal the amount that was split. ${wordsOf(settlements, state)}.`,
  refund: () => 'The portal sent money back.',
  mail: ({ state, details }) =>
    `Mail: ${wordsOf(mailNames, details.type)}. It ${wordsOf(sending, state)}.`,
  text: ({ state, details }) =>
    `Text message: ${wordsOf(mailNames, details.type)}. It ${wordsOf(sending, state)}.`,
  posting: ({ state }) => `Booked: ${wordsOf(postings, state)}.`,
  webhook: ({ state, details }) => `Webhook ${details.event_type} ${wordsOf(deliveries, state)}.`,
  action: ({ state, by, details }) =>
    `${by}: ${spaced(state).replace('.', ' ')}${typeof details.reason === 'string' && details.reason !== '' ? `. ${details.reason}` : ''}`,
};

const consents: Readonly<Record<string, string>> = {
  'electronic records: electronic': 'The tenant agreed to get notices by e-mail.',
  'electronic records: paper': 'The tenant gets notices on paper.',
  'text messages: asked': 'The tenant asked for text messages.',
  'text messages: confirmed': 'The tenant confirmed the number for text messages.',
  'text messages: ended': 'Text messages ended.',
};

const planWords = {
  accepted: 'The tenant agreed to the plan',
  paid: '{payment} was paid',
  failed: '{payment} failed',
  rescheduled: '{payment} moved to another day',
  payment_method: 'The tenant changed the account or card',
  autopay_enabled: 'Automatic payments were turned on',
  autopay_disabled: 'Automatic payments were turned off',
  past_due: 'The plan became past due',
  recovered: 'The plan is no longer past due',
  completed: 'The plan is paid off',
  canceled: 'The plan was canceled',
  charged_off: 'The plan was written off',
  refunded: 'Money went back to the tenant',
  credited: 'A credit from the portal lowered the plan',
  fee_waived: 'The fee, or a part of it, was waived',
  charge_changed: 'The portal changed the charges after the plan began',
  taken_back: '{payment} was taken back by the bank',
} satisfies Record<HistoryLine['kind'], string>;

const outcomes: Readonly<Record<string, string>> = {
  pending: 'on its way',
  succeeded: 'paid',
  returned: 'returned by the bank',
};

const settlements = {
  unsettled: 'The portal has not debited us yet',
  unverified: 'The portal’s debit is on its way',
  verified: 'It has arrived',
  failed: 'The portal’s debit failed',
  returned: 'The bank returned the portal’s debit',
} satisfies Record<SettlementStatus, string>;

/** The names that people use for each type of mail. */
export const mailNames = {
  'application.declined': 'notice of the decline',
  'plan.activated': 'the plan has begun, with the agreement',
  'experience.code': 'a code to open the page',
  'plan.canceled': 'the plan did not begin',
  'plan.payment_method': 'another account or card',
  'plan.refunded': 'a credit or a refund',
  'plan.past_due': 'the plan is past due',
  'plan.completed': 'the plan is paid off',
  'plan.charged_off': 'the plan was written off',
  'installment.upcoming': 'reminder of a payment',
  'installment.failed': 'a payment failed',
  'installment.paid': 'receipt of a payment',
  'installment.rescheduled': 'a payment moved',
  'autopay.enabled': 'automatic payments are on',
  'autopay.disabled': 'automatic payments are off',
} satisfies Record<MailType, string>;

const sending: Readonly<Record<string, string>> = {
  sent: 'was sent',
  waiting: 'waits to be sent',
  bounced: 'came back: the address takes no mail',
  'given up': 'could not be sent',
};

/** The names of transfers that concern a tenant. A processor's transfers have their names in its folder. */
const postings: Readonly<Partial<Record<TransferKind, string>>> = {
  advance: 'the plan began',
  payment: 'a payment',
  charge_off: 'the plan was written off',
  fee_waived: 'the fee was waived',
  refund: 'the portal’s credit',
  payment_taken_back: 'the bank took a payment back',
  payment_won: 'we won a dispute',
  paid_back: 'money back to the tenant',
  refund_refused: 'the bank refused a refund',
};

const deliveries: Readonly<Record<string, string>> = {
  delivered: 'was delivered',
  pending: 'waits to be sent',
  delivering: 'is being sent',
  retrying: 'failed and is tried again',
  exhausted: 'failed for good',
  held: 'is held back',
  skipped: 'was skipped',
  'sent to no endpoint': 'had no endpoint',
};

/** Returns the words for a known kind. An unknown one, such as a processor's, is spelled with spaces. */
function wordsOf(known: Readonly<Record<string, string | undefined>>, kind: unknown): string {
  return known[String(kind)] ?? spaced(kind);
}

function spaced(word: unknown): string {
  return String(word).replaceAll('_', ' ');
}

function reasonsOf(reasons: unknown): string {
  return Array.isArray(reasons) && reasons.length > 0
    ? `, because of ${reasons.join(', ').replaceAll('_', ' ')}`
    : '';
}

/** Returns `, R01 (insufficient funds)`, or an empty string without a code. */
export function returnCodeSuffix(code: unknown): string {
  if (typeof code !== 'string') return '';
  const meaning = failureFacts[code]?.meaning;
  return `, ${code}${meaning === undefined ? '' : ` (${meaning})`}`;
}

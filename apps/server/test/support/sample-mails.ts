import type { InstallmentState, Locale, ProductVariant } from '@svc/contract';
import { sandboxCreditor } from '../../src/creditor.ts';
import { unlimited } from '../../src/domain/lending/lending-rules.ts';
import { defaultBrand } from '../../src/domain/mail/brand.ts';
import type { Letter } from '../../src/domain/mail/claim.ts';
import { disclosureText } from '../../src/domain/offers/disclosure.ts';
import { defaultTerms } from '../../src/domain/partners/terms.ts';
import type { MailType } from '../../src/words/mail-types.ts';

// One mail of each type, with the facts that its event has. For the tests of their text, for axe, and
// for `npm run screens -- mails`.

export const letter: Letter = {
  id: 'mal_1',
  partnerId: 'ptn_1',
  tenantId: 'ten_1',
  pms: 'maple',
  type: 'installment.upcoming',
  data: { plan_id: 'pln_1', amount_in_cents: 38_003, due_date: '2026-02-09', number: 2 },
  productVariant: 'rent',
  simulated: false,
  attempts: 1,
  agreedToRecords: null,
  linkSealed: null,
  email: 'ada@example.com',
  firstName: 'Ada',
  lastName: 'Lane',
  addressedTo: { hmac: null, sha256: null },
  locale: 'en',
  timeZone: 'America/Chicago',
  createdAt: new Date('2026-02-06T15:00:00Z'),
  portal: 'Maple Residents',
  terms: defaultTerms,
  agreement: null,
  decline: null,
  method: { brand: 'visa', expires: '2026-03', lastDueDate: '2026-03-02' },
};
export const creditor = sandboxCreditor;
export const brand = defaultBrand({ name: 'Maple Residents', pms: 'maple' });
export const place = { origin: 'https://svc.example', secret: 'svc_ml_x', creditor, brand };

const partsOf = (...states: readonly InstallmentState[]) =>
  states.map((state, index) => ({ number: index + 1, state }));

export const plan = {
  plan_id: 'pln_01kj0000000000000000000000',
  left_in_cents: 76_006,
  parts: partsOf('paid', 'paid', 'scheduled', 'scheduled'),
  next: { amount_in_cents: 38_003, due_date: '2026-02-16' },
};
const payment = { ...plan, amount_in_cents: 41_003, due_date: '2026-02-09', number: 2 };
const noNext = { ...plan, left_in_cents: 0, next: null };

export const agreementOf = (
  locale: Locale,
  { name = 'Ada Lane', variant = 'rent' }: { name?: string; variant?: ProductVariant } = {},
) => ({
  locale,
  sha256: 'ab'.repeat(32),
  text: disclosureText(
    {
      installment_count: 2,
      installments: [
        { number: 1, due_date: '2026-02-01', amount_in_cents: 79_006 },
        { number: 2, due_date: '2026-02-17', amount_in_cents: 76_006 },
      ],
      amount_financed_in_cents: 152_012,
      fee_in_cents: 3000,
      finance_charge_in_cents: 3000,
      total_of_payments_in_cents: 155_012,
      apr_bps: 9010,
      debit_by: '2026-02-02',
    },
    {
      planId: plan.plan_id,
      signer: { name, home: 'Elm Court, Austin, TX' },
      variant,
      creditor,
      terms: defaultTerms,
      lending: unlimited,
      method: { id: 'pmt_1', type: 'card', brand: 'visa', last4: '4242', expires: '2027-12' },
    },
    locale,
  ),
});

interface Sample {
  /** The mail's type, if the sample is not named after it. */
  readonly type?: MailType;
  readonly data: Letter['data'];
  readonly more?: Partial<Letter>;
}

export type SampleName = MailType | 'part of a payment' | 'part of a late payment';

export const sampleMails: Readonly<Record<SampleName, Sample>> = {
  'experience.code': { data: {} },
  'application.declined': {
    data: { application_id: 'app_1', reapply_after: '2026-05-02' },
    more: {
      decline: {
        codes: ['income_too_low', 'account_too_new'],
        details: undefined,
        terms: { documents: {} },
        decidedAtMs: Date.parse('2026-02-02T03:00:00Z'),
        amountInCents: 152_012,
      },
    },
  },
  'plan.activated': {
    data: {
      ...plan,
      amount_in_cents: 41_003,
      parts: partsOf('paid', 'scheduled', 'scheduled', 'scheduled'),
    },
    more: { agreement: agreementOf('en') },
  },
  'plan.canceled': {
    data: { plan_id: plan.plan_id, amount_in_cents: 41_003, reason: 'first_payment_failed' },
  },
  'plan.payment_method': {
    data: plan,
  },
  'plan.refunded': {
    data: {
      ...plan,
      credited_in_cents: 50_000,
      refunded_in_cents: 1_000,
      parts: partsOf('paid', 'processing', 'scheduled', 'canceled'),
    },
  },
  'plan.past_due': {
    data: { ...plan, parts: partsOf('paid', 'paid', 'overdue', 'overdue') },
  },
  'plan.completed': {
    data: { ...payment, ...noNext, parts: partsOf('paid', 'paid', 'paid', 'paid') },
  },
  'plan.charged_off': {
    data: {
      plan_id: plan.plan_id,
      left_in_cents: 76_006,
      parts: partsOf('paid', 'paid', 'overdue', 'overdue'),
    },
  },
  'installment.upcoming': {
    data: { ...payment, parts: partsOf('paid', 'scheduled', 'scheduled', 'scheduled') },
  },
  'installment.failed': {
    data: {
      ...payment,
      return_code: 'R01',
      next_attempt_at: '2026-02-10T15:00:00Z',
      parts: partsOf('paid', 'failed', 'scheduled', 'scheduled'),
    },
  },
  'installment.paid': {
    data: payment,
  },
  'part of a payment': {
    type: 'installment.paid',
    data: {
      ...payment,
      amount_in_cents: 10_000,
      due_date: plan.next.due_date,
      next: { ...plan.next, amount_in_cents: 28_003 },
      left_in_cents: 66_006,
      rest: { amount_in_cents: 28_003, automatic: true },
    },
  },
  'part of a late payment': {
    type: 'installment.paid',
    data: {
      ...payment,
      amount_in_cents: 10_000,
      rest: { amount_in_cents: 31_003, automatic: false },
      parts: partsOf('paid', 'overdue', 'scheduled', 'scheduled'),
    },
  },
  'installment.rescheduled': {
    data: {
      ...payment,
      from: '2026-02-05',
      parts: partsOf('paid', 'scheduled', 'scheduled', 'scheduled'),
    },
  },
  'autopay.enabled': {
    data: plan,
  },
  'autopay.disabled': {
    data: { ...plan, autopay: false },
  },
};

/** Returns the letter of a sample, for `composeMail`. */
export function letterOf(name: SampleName, more: Partial<Letter> = {}): Letter {
  const { type = name as MailType, data, more: own } = sampleMails[name];
  return { ...letter, type, data, ...more, ...own };
}

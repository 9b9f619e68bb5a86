import { z } from 'zod';
import { brandOf, isCardNumber } from '../card.ts';
import { chargeOutput, paidCharges } from '../charges.ts';
import { installmentSummary } from '../events.ts';
import { largestAmountInCents } from '../limits.ts';
import { type SetupFailure, setupFailures } from '../payment-failures.ts';
import {
  cents,
  dateInput,
  environment,
  externalId,
  instant,
  isoDate,
  locale,
  productVariant,
} from '../primitives.ts';
import { isRoutingNumber } from '../routing-number.ts';
import { accountEntries, accountTypes, planChanges, steps } from '../vocabulary.ts';
import { pastPlan, paymentMethodOutput, planManagement } from './plan-management.ts';
import { planOutput } from './plans.ts';
import { eligibility, rentCycle } from './portal-info.ts';

const signature = z.string().max(200);

export const exchangeInput = z.strictObject({
  token: z.string().min(1).max(200),
  pms: z.string().max(100),
  external_id: externalId,
  signature,
  product_variant: productVariant.default('rent'),
  nonce: z.string().min(16).max(100),
});

/** The secret of a link in a mail, from the fragment of the page's address. */
export const mailLinkInput = z.strictObject({
  link: z.string().min(1).max(200),
  nonce: z.string().min(16).max(100),
});

/** The terms of the product, for texts on screen. */
export const termsOutput = z.object({
  lender_name: z.string(),
  lender_address: z.string().describe('Where paper mail reaches the lender, on one line.'),
  lender_license: z
    .string()
    .nullable()
    .default(null)
    .describe('The lender’s license in the state of the home, such as its name and number.'),
  support_email: z.string(),
  privacy_url: z
    .string()
    .nullable()
    .default(null)
    .describe('The lender’s privacy notice. `{locale}` in it stands for the language.'),
  installment_counts: z
    .array(z.int())
    .describe('While a rent cycle is open, the numbers of payments that have a quote today.'),
  fee_in_cents: cents,
  minimum_in_cents: cents.describe(
    'The smallest amount that can be split, which depends on the fee.',
  ),
  maximum_in_cents: cents,
  reapply_after_days: z.int(),
  span_days: z.int().default(30).describe('All payments of a plan are due within so many days.'),
  retries: z
    .int()
    .default(2)
    .describe('How often a payment that the bank declined is tried again automatically, at most.'),
  past_due_after_days: z
    .int()
    .default(30)
    .describe('A plan with a payment that is late for so long is past due.'),
  charge_off_after_days: z
    .int()
    .default(120)
    .describe('A plan with a payment that is late for so long is closed. It is still owed.'),
});

const noticePart = z.object({
  heading: z.string(),
  paragraphs: z.array(z.string()),
  facts: z.array(z.object({ term: z.string(), value: z.string() })),
  items: z.array(z.string()),
});
export type NoticePart = z.infer<typeof noticePart>;

const noticeText = z.object({
  locale,
  reasons: z.array(z.string()),
  parts: z
    .array(noticePart)
    .default([])
    .describe('Where the information came from: reports of agencies, their scores, and others.'),
  rights: z.string(),
  english: z
    .array(z.string())
    .default([])
    .describe(
      'Those of the reasons and items that are in English, because the decision service gave no other text. Always empty in the English notice.',
    ),
});

export const adverseActionNotice = noticeText.extend({
  decided_on: isoDate,
  creditor: z.string().describe('Name and postal address.'),
  applicant: z.string().default('').describe('Empty once the personal data is erased.'),
  amount_in_cents: cents.nullable().default(null).describe('The amount that was applied for.'),
  reason_codes: z.array(z.string()).describe('Ours, or those of the decision service.'),
  translations: z.array(noticeText),
});

const consentText = z.object({
  locale,
  version: z.string(),
  sha256: z.string(),
  text: z.string().describe('The exact words that the tenant agrees to.'),
});

/** How the tenant gets the notices that the law requires in writing (15 USC 7001(c)). */
export const electronicRecordsOutput = z.object({
  choice: z
    .enum(['electronic', 'paper'])
    .nullable()
    .describe('Null: the tenant was not asked. Then an agreement covers the notices of its plan.'),
  texts: z
    .array(consentText)
    .describe(
      'The words to agree to. An empty line is between paragraphs. The first one is the sentence of the checkbox.',
    ),
});
export type ElectronicRecordsOutput = z.infer<typeof electronicRecordsOutput>;

export const electronicRecordsInput = z.strictObject({
  accepted_sha256: z
    .string()
    .max(64)
    .nullable()
    .describe(
      'Hash of the text that the tenant agreed to, in its language. That text is stored. Null: notices on paper.',
    ),
});
export type ElectronicRecordsInput = z.infer<typeof electronicRecordsInput>;

const statementText = z.object({ locale, heading: z.string(), paragraphs: z.array(z.string()) });

/** Everything that the experience shows: the tenant's state. */
export const stateOutput = z.object({
  step: z.enum(steps),
  environment,
  simulated: z.boolean(),
  today: isoDate,
  tenant: z.object({
    external_id: externalId,
    first_name: z.string(),
    product_variant: productVariant,
    property_name: z.string().nullable(),
    home_state: z
      .string()
      .nullable()
      .default(null)
      .describe('The name of the state of the home; null if the portal did not report one.'),
    shares_lease: z
      .boolean()
      .describe(
        'True if someone else is billed for the same month of the lease, so the amount due is a share.',
      ),
    return_url: z.string().nullable(),
  }),
  cycle: rentCycle.nullable(),
  charges: z.array(chargeOutput),
  blocking_charges: z
    .array(chargeOutput)
    .default([])
    .describe('The unpaid charges behind `eligibility.reason`, of any month.'),
  eligibility: eligibility.extend({ until: isoDate.nullable() }),
  application: z
    .object({ id: z.string(), state: z.string(), approved_amount_in_cents: cents.nullable() })
    .nullable(),
  apply_steps: z
    .array(z.enum(steps))
    .default(['application', 'plan_choice', 'payment_method', 'consent'])
    .describe('The numbered steps from the application to the agreement, for this tenant.'),
  asks_ssn_digits: z
    .union([z.literal(4), z.literal(9)])
    .nullable()
    .default(null)
    .describe('How many digits of the Social Security number the application asks for.'),
  known_applicant: z
    .object({
      birth_year: z.int(),
      monthly_income_in_cents: cents
        .nullable()
        .describe('Null if it was stated more than a year ago.'),
    })
    .nullable()
    .default(null)
    .describe('From the tenant’s last application, while a new one can be sent.'),
  payment_method: paymentMethodOutput.nullable(),
  account_entry: z
    .enum(accountEntries)
    .default('fields')
    .describe(
      '`fields`: accounts and cards are typed in the experience. `page`: on a page of the payment processor. `banks`: accounts come from a bank that the tenant picks, or are typed; cards are typed.',
    ),
  takes_cards: z
    .boolean()
    .default(true)
    .describe('Whether a card can be added; otherwise only bank accounts.'),
  confirmation: z
    .object({ payment_id: z.string(), amount_in_cents: cents })
    .nullable()
    .default(null)
    .describe('A payment that the tenant has to confirm at the bank of the card.'),
  notice: adverseActionNotice
    .extend({
      on_paper: z
        .boolean()
        .default(false)
        .describe(
          'The notice is also sent by mail, because the tenant did not agree to get it by e-mail.',
        ),
    })
    .nullable(),
  plan: planOutput
    .nullable()
    .describe('The open plan; in step `done` the plan that was just paid in full.'),
  management: planManagement
    .nullable()
    .default(null)
    .describe('How `plan` can be managed, and its history.'),
  past_plans: z.array(pastPlan).default([]),
  reopened_plan: z
    .object({
      id: z.string(),
      rent_cycle_date: isoDate,
      left_in_cents: cents,
      installment_ids: z.array(z.string()),
    })
    .nullable()
    .default(null)
    .describe('An earlier plan that is open again, because a bank reversed one of its payments.'),
  mail_access: z
    .object({
      continue_in: z
        .enum(['portal', 'confirm'])
        .describe(
          '`portal`: at `return_url`. `confirm`: by POST /experience/confirm, if there is no `return_url`.',
        ),
      tries_left: z.int(),
    })
    .nullable()
    .default(null)
    .describe('Set while a session that was opened from a mail is read-only.'),
  open_setup_id: z
    .string()
    .nullable()
    .default(null)
    .describe('The newest payment setup of the tenant, while it is `open`.'),
  viewed_by_operator: z
    .boolean()
    .default(false)
    .describe('An operator sees what the tenant sees. The session only reads.'),
  military: statementText
    .extend({ translations: z.array(statementText) })
    .nullable()
    .default(null)
    .describe(
      'The disclosures to a borrower covered by the Military Lending Act (32 CFR 232.6), shown before consent.',
    ),
  texts: z
    .boolean()
    .default(false)
    .describe('Whether the tenant can turn on reminders by text message.'),
  asks_electronic_records: z
    .boolean()
    .default(false)
    .describe(
      'Whether the application asks how the tenant wants notices. The words: GET /experience/electronic_records.',
    ),
  terms: termsOutput,
});
export type ExperienceState = z.infer<typeof stateOutput>;

export const exchangeOutput = stateOutput.extend({ session: z.string(), expires_at: instant });
export type ExchangeOutput = z.infer<typeof exchangeOutput>;

/** The secret of a link for a message, and the language on screen. */
export const linkCodeInput = z.strictObject({ link: z.string().min(1).max(200), locale });
export const linkCodeOutput = z.object({
  /** The channel of the code; null if none was sent. */
  sent_to: z.enum(['email', 'text']).nullable(),
  problem: z.enum(['too_many', 'unavailable']).nullable(),
});
export type LinkCodeOutput = z.infer<typeof linkCodeOutput>;

export const linkConfirmInput = z.strictObject({
  link: z.string().min(1).max(200),
  code: z.string().regex(/^\d{6}$/, { error: 'must be the six digits of the code' }),
  nonce: z.string().min(16).max(100),
});
export const linkConfirmOutput = z.object({
  opened: exchangeOutput.nullable(),
  problem: z.enum(['wrong_code', 'code_expired']).nullable(),
});
export type LinkConfirmOutput = z.infer<typeof linkConfirmOutput>;

export const leaveInput = z.strictObject({ last_step: z.enum(steps) });
export const leaveOutput = z.object({
  /** The address to return to, with `svc_result`; null if there is none. */
  url: z.string().nullable(),
});
export type LeaveOutput = z.infer<typeof leaveOutput>;

/** Facts that only the tenant knows, required of a session that was opened from a mail. */
export const confirmInput = z.strictObject({
  date_of_birth: isoDate,
  last4: z
    .string()
    .regex(/^\d{4}$/, { error: 'must be the last four digits of the account or card' }),
});
export type ConfirmInput = z.infer<typeof confirmInput>;

export const confirmOutput = z.object({
  confirmed: z.boolean(),
  tries_left: z.int().describe('At 0 the link and its session are no longer valid.'),
  state: stateOutput,
});
export type ConfirmOutput = z.infer<typeof confirmOutput>;

export const applicationInput = z.strictObject({
  date_of_birth: dateInput
    .optional()
    .describe('Left out to use the one of the last application (`known_applicant`).'),
  ssn: z
    .string()
    .regex(/^(\d{4}|\d{9})$/, { error: 'must be 4 or 9 digits' })
    .optional()
    .describe(
      'The digits of the Social Security number or ITIN that `asks_ssn_digits` asks for. Deleted once the application is decided.',
    ),
  monthly_income_in_cents: z.int().min(0).max(largestAmountInCents),
  consent: z.literal(true, { error: 'must be true: the tenant must agree to the check' }),
  locale: locale.optional().describe('The language on screen. The notice of a decline uses it.'),
});

export const bankAccountInput = z.strictObject({
  type: z.literal('bank_account'),
  routing_number: z.string().refine(isRoutingNumber, {
    error: 'must be the nine digits of a US bank, without a typing error',
  }),
  account_number: z.string().regex(/^\d{4,17}$/, { error: 'must be 4 to 17 digits' }),
  account_type: z.enum(accountTypes),
});

/** The number and the security code are passed to the processor and never stored. */
export const cardInput = z.strictObject({
  type: z.literal('card'),
  number: z.string().refine((number) => isCardNumber(number) && brandOf(number) !== null, {
    error: 'must be the 16 digits of a Visa or Mastercard, without a typing error',
  }),
  expires: z
    .string()
    .regex(/^20\d\d-(0[1-9]|1[0-2])$/, { error: 'must be the month on the card, as YYYY-MM' }),
  cvc: z.string().regex(/^\d{3}$/, { error: 'must be the three digits on the card’s back' }),
});

export const paymentMethodInput = z.discriminatedUnion('type', [bankAccountInput, cardInput]);
export type PaymentMethodInput = z.infer<typeof paymentMethodInput>;

const bank = z.object({ id: z.string(), name: z.string() });
export type Bank = z.infer<typeof bank>;

export const paymentSetupInput = z.strictObject({
  type: z.enum(['bank_account', 'card']),
  bank: z
    .string()
    .max(100)
    .optional()
    .describe('The bank that the tenant picked, from the answer with the state `banks`.'),
});
export type PaymentSetupInput = z.infer<typeof paymentSetupInput>;

/** The place where the tenant enters an account or a card, and the state of the setup. */
export const paymentSetupOutput = z.object({
  id: z.string().nullable(),
  state: z
    .enum(['fields', 'banks', 'open', 'pending', 'ready', 'failed'])
    .describe(
      '`fields`: the experience shows its own fields. `banks`: the tenant picks one of `banks`. `open`: the tenant continues at `url`, a page of ours that leads to the one of the processor. `pending`: the processor checks the account.',
    ),
  url: z.string().nullable(),
  reason: z
    .enum(Object.keys(setupFailures) as [SetupFailure, ...SetupFailure[]])
    .nullable()
    .describe('Why it failed.'),
  message: z.string().nullable().describe('The reason in English.'),
  banks: z.array(bank).optional(),
});
export type PaymentSetupOutput = z.infer<typeof paymentSetupOutput>;

/** The fragment of the page `/setup/visit`, which leads to a page of the bank or the processor. */
export const visitInput = z.strictObject({ visit: z.string().min(1).max(8000) });
export const visitOutput = z.object({ url: z.string() });

/** A payment that waits for the tenant's confirmation, by the processor's answer. */
export const paymentCheckOutput = z.object({
  state: z.enum(['waiting', 'ended']).describe('`ended`: the state of the tenant says how.'),
  url: z
    .string()
    .nullable()
    .describe(
      'A page of ours that leads to the one on which to confirm it. Null if the processor does not answer.',
    ),
});
export type PaymentCheckOutput = z.infer<typeof paymentCheckOutput>;

const disclosureText = z.object({
  locale,
  sha256: z.string(),
  text: z.string().describe('The exact words the tenant consents to.'),
});

export const quoteOutput = z.object({
  id: z.string(),
  installment_count: z.int(),
  installments: z.array(installmentSummary.omit({ id: true, state: true })),
  amount_financed_in_cents: cents,
  fee_in_cents: cents,
  finance_charge_in_cents: cents,
  total_of_payments_in_cents: cents,
  apr_bps: z.int(),
  debit_by: isoDate,
  warnings: z.array(z.object({ code: z.string(), message: z.string() })),
  disclosure: disclosureText
    .extend({ translations: z.array(disclosureText) })
    .nullable()
    .describe('The agreement, which names the account or card. Null until there is one.'),
});
export type QuoteOutput = z.infer<typeof quoteOutput>;

const dayOfMonthError = 'must be a day of the month from 1 to 31, where 31 is the last day';
const dayOfMonth = z
  .int({ error: dayOfMonthError })
  .min(1, dayOfMonthError)
  .max(31, dayOfMonthError)
  .describe('In a month without this day, its last day. So 31 is the last day of every month.');

const weekdayError = 'must be a weekday from 1 (Monday) to 7 (Sunday)';

/** The days on which a tenant gets paid. */
export const paydays = z.discriminatedUnion(
  'frequency',
  [
    z.strictObject({
      frequency: z.literal('weekly'),
      weekday: z
        .int({ error: weekdayError })
        .min(1, weekdayError)
        .max(7, weekdayError)
        .describe('1 (Monday) to 7 (Sunday).'),
    }),
    z.strictObject({
      frequency: z.literal('biweekly'),
      payday: dateInput.describe(
        'One of the paydays. The others are every two weeks before and after it.',
      ),
    }),
    z.strictObject({
      frequency: z.literal('semimonthly'),
      days: z
        .array(dayOfMonth)
        .length(2, 'must be the two days of the month on which the tenant gets paid')
        .refine(([first, second]) => first !== second, 'must be two different days'),
    }),
    z.strictObject({ frequency: z.literal('monthly'), day: dayOfMonth }),
  ],
  { error: 'must be weekly, biweekly, semimonthly or monthly' },
);
export type Paydays = z.infer<typeof paydays>;

export const paydaysInput = z.strictObject({
  paydays: paydays.nullable().describe('Null goes back to the standard dates.'),
});

export const quotesOutput = z.object({
  items: z.array(quoteOutput),
  paydays: paydays
    .nullable()
    .default(null)
    .describe('The paydays that the payments after the first are on. Null: the standard dates.'),
  not_offered: z
    .array(
      z.object({
        installment_count: z.int(),
        code: z.enum(['too_few_paydays', 'cost_above_limit']),
        message: z.string(),
      }),
    )
    .default([])
    .describe('The numbers of payments that only the standard dates allow, and why.'),
});
export type QuotesOutput = z.infer<typeof quotesOutput>;

export const acceptInput = z.strictObject({
  quote_id: z.string().max(100),
  accepted_disclosure_sha256: z
    .string()
    .max(64)
    .describe('Hash of the text that the tenant read, in its language. That text is stored.'),
  locale: locale.optional().describe('The language on screen. Mails use it from then on.'),
});

/** The result of accepting a quote, with the new plan's settlement for the SDK's SPLIT_RENT. */
export const acceptOutput = z.object({
  state: stateOutput,
  settlement: z
    .object({
      settlement_id: z.string(),
      ...paidCharges,
    })
    .nullable()
    .describe(
      'Null if the first payment failed (see `failure`: no money moved, the tenant may try again) or is pending: the plan is `created` and may be canceled.',
    ),
  failure: z.object({ code: z.string(), message: z.string() }).nullable(),
});
export type AcceptOutput = z.infer<typeof acceptOutput>;

/** The response to pay, reschedule, cancel and autopay: the new state, and data for SDK events. */
export const planChangeOutput = z.object({
  state: stateOutput,
  change: z
    .object({ plan_id: z.string(), change: z.enum([...planChanges, 'canceled']) })
    .nullable()
    .describe('Data of PLAN_UPDATED; null if nothing changed.'),
  repayment: z
    .object({ plan_id: z.string(), amount_in_cents: cents })
    .nullable()
    .describe('Data of REPAY: the amount that this call collected; null if nothing was collected.'),
  failure: z.object({ code: z.string(), message: z.string() }).nullable(),
});
export type PlanChangeOutput = z.infer<typeof planChangeOutput>;

/** The files that a tenant can download, and the `id` of each. All are PDFs but the calendar. */
export const documentKinds = [
  // The hash of an agreement that has not been accepted yet.
  'offer',
  // A plan.
  'agreement',
  // A payment.
  'receipt',
  // An application that was declined.
  'notice',
  // A plan that is paid in full.
  'payoff',
  // A year that is over, as four digits.
  'statement',
  // A plan: its upcoming payments as iCalendar.
  'calendar',
] as const;
export type DocumentKind = (typeof documentKinds)[number];

export const documentInput = z.strictObject({
  locale: locale.describe(
    'The language on screen. An agreement is always in the language of its text.',
  ),
  file_name: z
    .string()
    .regex(/^[a-z0-9-]{1,60}$/)
    .describe('The name under which the browser saves the file, without its extension.'),
});
export type DocumentInput = z.infer<typeof documentInput>;

/** A path that downloads a document for a while without a session token, as often as a browser needs. */
export const documentOutput = z.object({
  path: z.string().describe('On the origin of the service.'),
  expires_at: instant,
});

/** Reminders by text message, as the tenant has set them. */
export const textsOutput = z.object({
  state: z
    .enum(['off', 'code_sent', 'on', 'stopped', 'undeliverable'])
    .describe(
      '`code_sent`: the tenant has to enter a code. `stopped`: by a reply to a text. `undeliverable`: the number takes no texts.',
    ),
  number: z.string().nullable().describe('With all but its last four digits hidden.'),
  reported_number: z.string().nullable().describe('From the portal, if it is a number in the US.'),
  consents: z.array(consentText),
});
export type TextsOutput = z.infer<typeof textsOutput>;

export const textCodeInput = z.strictObject({
  number: z.string().min(1).max(40),
  accepted_consent_sha256: z
    .string()
    .max(64)
    .describe('Hash of the text that the tenant read, in its language. That text is stored.'),
  locale,
});
export type TextCodeInput = z.infer<typeof textCodeInput>;

export const textProblems = [
  // Not a number in the US.
  'number',
  // The provider cannot reach it, for example because it is not a mobile.
  'undeliverable',
  // Its owner has replied STOP to the provider.
  'stopped',
  'too_many',
  'unavailable',
  'wrong_code',
  'code_expired',
] as const;

export const textChangeOutput = z.object({
  texts: textsOutput,
  problem: z.enum(textProblems).nullable().describe('Why nothing changed; null if it did.'),
});
export type TextChangeOutput = z.infer<typeof textChangeOutput>;
export type TextProblem = (typeof textProblems)[number];

export const textConfirmInput = z.strictObject({
  code: z.string().regex(/^\d{6}$/, { error: 'must be the six digits of the code' }),
});
export type TextConfirmInput = z.infer<typeof textConfirmInput>;

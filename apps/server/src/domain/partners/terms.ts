import { type DeclineReason, declineReasons, locales } from '@svc/contract';
import { z } from 'zod';
import { agreementProblems } from './agreement-template.ts';

/**
 * When a plan begins, and with it our debt to the portal: once the first payment succeeded, or while a
 * slow bank is still processing it. In the second case the tenant's rent is paid days earlier, and we
 * bear the loss if the bank refuses (docs/money.md).
 */
const planStarts = ['first_payment_succeeded', 'first_payment_processing'] as const;
export type PlanStart = (typeof planStarts)[number];

const cents = (least: number, most: number) => wholeNumber('cents', least, most);
const days = (least: number, most: number) => wholeNumber('days', least, most);
const percent = (least: number, most: number) => wholeNumber('percent', least, most);

/** The plain text of one agreement, in one language. */
const agreementTemplate = z
  .string({ error: 'must be text' })
  .max(40_000, 'must be at most 40,000 characters')
  .superRefine((text, check) => {
    for (const message of agreementProblems(text)) check.addIssue({ code: 'custom', message });
  });

const notice = z.strictObject({
  reasons: z.strictObject(
    inEach(declineReasons, () => singleLine(200)) as Record<
      DeclineReason,
      ReturnType<typeof singleLine>
    >,
  ),
  rights: singleLine(4_000),
});

const inEachLocale = <S extends z.ZodType>(schema: S) =>
  z.strictObject(inEach(locales, () => schema));

/** The rules that our own underwriting can decline by. The others belong to a decision service. */
const ownDeclineReasons = ['income_too_low', 'account_too_new', 'past_plan_unpaid'] as const;

/**
 * The terms of the product as the operator's file has them, and as they are stored. All fields are
 * required, so that a version says everything and never depends on the release that reads it.
 */
export const programTerms = z
  .strictObject({
    fee_in_cents: cents(0, 500_00),
    /**
     * The fee is at most this share of the amount that is split. A smaller amount can't be split: nearly
     * nothing would be lent, at a rate of thousands of percent. At 25 at most, the first payment is always
     * less than the amount. Omitted, it is 10: the versions stored before this field have none.
     */
    fee_share_percent: percent(1, 25).optional(),
    minimum_in_cents: cents(1_00, 1_000_000_00),
    maximum_in_cents: cents(1_00, 1_000_000_00),
    installment_counts: z
      .array(wholeNumber('payments', 2, 12), { error: 'must be a list such as [2, 3, 4]' })
      .min(1, 'must name at least one number of payments')
      .refine(isAscending, 'must be in ascending order, each number once'),
    /** Every part is due within this many days of the first. The screens promise at most 30. */
    span_days: days(2, 30),
    days_apart: days(1, 15),
    opens_days_before: days(0, 14),
    closes_days_after: days(0, 13),
    /** The least that a tenant may pay of an installment, and the least that may remain of it. */
    part_payment_minimum_in_cents: cents(1_00, 1_000_00),
    remind_days_before: days(1, 14),
    /** Twice at most; payments/return-codes.ts says which failures. For bank accounts that is Nacha's rule. */
    retry_after_days: z
      .array(days(1, 14), { error: 'must be a list such as [1, 3]' })
      .max(2, 'must have at most 2 entries: Nacha allows two retries'),
    past_due_after_days: days(1, 90),
    /** At most the federal banking agencies' rule for closed-end credit. */
    charge_off_after_days: days(2, 120),
    reapply_after_days: days(0, 365),
    decline_reasons: z
      .array(z.enum(ownDeclineReasons, { error: `must be one of ${ownDeclineReasons.join(', ')}` }))
      .refine((list) => new Set(list).size === list.length, 'must name each reason once'),
    plan_starts: z.enum(planStarts, { error: `must be ${planStarts.join(' or ')}` }),
    /** Texts in place of the built-in ones. */
    documents: z
      .strictObject({
        /** A text for each language. */
        agreement: z
          .strictObject({
            rent: inEachLocale(agreementTemplate).optional(),
            hoa: inEachLocale(agreementTemplate).optional(),
          })
          .optional(),
        decline_notice: inEachLocale(notice).optional(),
      })
      .optional(),
  })
  .superRefine((terms, check) => {
    const refuse = (field: keyof typeof terms, message: string) =>
      check.addIssue({ code: 'custom', path: [field], message });
    if (terms.maximum_in_cents < terms.minimum_in_cents) {
      refuse('maximum_in_cents', 'must be at least minimum_in_cents');
    } else if (terms.maximum_in_cents < smallestAmount(terms)) {
      refuse(
        'maximum_in_cents',
        `must be at least ${smallestAmount(terms)}: the fee of ${terms.fee_in_cents} is more than ${feeSharePercent(terms)} % of a smaller amount`,
      );
    }
    if (terms.charge_off_after_days <= terms.past_due_after_days) {
      refuse('charge_off_after_days', 'must be more than past_due_after_days');
    }
    const most = Math.max(...terms.installment_counts);
    if (Math.floor(terms.span_days / most) < terms.days_apart) {
      refuse(
        'span_days',
        `must be at least ${most * terms.days_apart}: ${most} payments that are ${terms.days_apart} days apart do not fit`,
      );
    }
  });
export type ProgramTerms = Readonly<z.infer<typeof programTerms>>;

type AmountLimits = Pick<ProgramTerms, 'fee_in_cents' | 'fee_share_percent' | 'minimum_in_cents'>;

function smallestAmount(terms: AmountLimits): number {
  return Math.max(
    terms.minimum_in_cents,
    Math.ceil((terms.fee_in_cents * 100) / feeSharePercent(terms)),
  );
}

function feeSharePercent({ fee_share_percent = 10 }: Pick<ProgramTerms, 'fee_share_percent'>) {
  return fee_share_percent;
}

/** One version of the terms, as the code reads it. */
export interface Terms {
  readonly version: string;
  readonly feeInCents: number;
  /** The smallest amount that can be split, under `minimum_in_cents` and `fee_share_percent`. */
  readonly minimumInCents: number;
  readonly maximumInCents: number;
  readonly installmentCounts: readonly number[];
  readonly spanDays: number;
  readonly daysApart: number;
  readonly opensDaysBefore: number;
  readonly closesDaysAfter: number;
  readonly partPaymentMinimumInCents: number;
  readonly remindDaysBefore: number;
  readonly retryAfterDays: readonly number[];
  readonly pastDueDays: number;
  readonly chargeOffDays: number;
  readonly reapplyAfterDays: number;
  readonly declineReasons: readonly DeclineReason[];
  readonly planStarts: PlanStart;
  readonly documents: NonNullable<ProgramTerms['documents']>;
  /** The terms as they are stored. */
  readonly source: ProgramTerms;
}

export function toTerms(version: string, program: ProgramTerms): Terms {
  return {
    version,
    feeInCents: program.fee_in_cents,
    minimumInCents: smallestAmount(program),
    maximumInCents: program.maximum_in_cents,
    installmentCounts: program.installment_counts,
    spanDays: program.span_days,
    daysApart: program.days_apart,
    opensDaysBefore: program.opens_days_before,
    closesDaysAfter: program.closes_days_after,
    partPaymentMinimumInCents: program.part_payment_minimum_in_cents,
    remindDaysBefore: program.remind_days_before,
    retryAfterDays: program.retry_after_days,
    pastDueDays: program.past_due_after_days,
    chargeOffDays: program.charge_off_after_days,
    reapplyAfterDays: program.reapply_after_days,
    declineReasons: program.decline_reasons,
    planStarts: program.plan_starts,
    documents: program.documents ?? {},
    source: program,
  };
}

/**
 * The terms that apply where no version does. Plans refer to them by this name, so they never change: different
 * built-in terms get a new name, and these stay in `builtInTermsByVersion`. A test compares their hash.
 */
export const defaultTermsVersion = 'default-2026-11';

/** The terms that are part of the release, by version. */
export const builtInTermsByVersion: Readonly<Record<string, ProgramTerms>> = {
  [defaultTermsVersion]: {
    fee_in_cents: 30_00,
    minimum_in_cents: 50_00,
    maximum_in_cents: 5_000_00,
    installment_counts: [2, 3, 4],
    span_days: 30,
    days_apart: 2,
    opens_days_before: 7,
    closes_days_after: 9,
    part_payment_minimum_in_cents: 20_00,
    remind_days_before: 3,
    retry_after_days: [1, 3],
    past_due_after_days: 30,
    charge_off_after_days: 120,
    reapply_after_days: 90,
    decline_reasons: [...ownDeclineReasons],
    plan_starts: 'first_payment_succeeded',
  },
};

export const defaultTerms: Terms = toTerms(
  defaultTermsVersion,
  builtInTermsByVersion[defaultTermsVersion] as ProgramTerms,
);

function wholeNumber(unit: string, least: number, most: number) {
  const error = `must be a whole number of ${unit} from ${least} to ${most}`;
  return z.int({ error }).min(least, error).max(most, error);
}

function singleLine(most: number) {
  return z
    .string({ error: 'must be text' })
    .refine(
      (text) => text.trim() !== '' && text.length <= most && !/\p{Cc}/u.test(text),
      `must be one line of 1 to ${most} characters`,
    );
}

function inEach<K extends string, T>(keys: readonly K[], makeValue: () => T): Record<K, T> {
  return Object.fromEntries(keys.map((key) => [key, makeValue()])) as Record<K, T>;
}

function isAscending(list: readonly number[]): boolean {
  return list.every((it, index) => index === 0 || it > (list[index - 1] ?? 0));
}

import type { WidgetPayment, WidgetSession } from '@svc/contract/frame';
import type { Instance } from '../instance.ts';
import type { Phrase } from '../locales/locale.ts';
import { translate, widgetLanguage } from '../locales/translate.ts';
import * as words from '../locales/words.ts';
import type { SvcSettings } from '../settings.ts';

/** The texts of the widget, translated. None of the lines is empty, so that the layout does not move. */
export interface Content {
  label: string;
  /** The balance, or the plan's next payment. */
  headline: string;
  /** True if the headline is a sentence, which is set in smaller type than an amount. */
  isSentence: boolean;
  status: string;
  action: string;
  /** The legal line. */
  terms: string;
  /** True if the button is the one thing to do. It is then filled. */
  isPrimary: boolean;
  /** The bar's segments, one for each payment; empty for no bar. */
  payments: SegmentState[];
  /** Lines for a container with space to spare. */
  details: Detail[];
}

/** `next`: the payment that comes next. `credited`: a credit has paid it. */
type SegmentState = WidgetPayment['state'] | 'next' | 'next-moved' | 'moved' | 'credited';

type ShownPayment = Omit<WidgetPayment, 'state'> & { state: WidgetPayment['state'] | 'credited' };

interface Detail {
  text: string;
  /** The payment's state and the word for it; only for the line of a payment. */
  state?: { name: SegmentState; text: string };
  /** True for one of several advantages, which has a tick. */
  isPoint?: boolean;
  /** True if the line is the first to be left out where space is short. */
  isExtra: boolean;
  /** True if the line is shown only below its segment, in the layout where each payment has a column. */
  isFar?: boolean;
}

/** The bar of an offer: four payments, the first of which is paid when the plan starts. */
const offeredPayments: SegmentState[] = ['paid', 'due', 'due', 'due'];

export function widgetContent(instance: Instance): Content {
  const { settings, busy, openFailed } = instance;
  const { balance } = settings;
  const state = contentForState(instance);
  const say = (phrase: Phrase, date?: string | null) =>
    translate(settings, phrase).replace('{date}', date ? formatDay(settings, date) : '');
  const name = settings.productVariant === 'hoa' ? words.dues : words.balance;
  const label = say(balance < 0 ? words.credit : name);
  const amount = formatMoney(settings, Math.abs(balance));
  const { headline, status, date, payments } = state;
  const madeCount = payments?.filter((it) => it.state === 'paid').length;
  const progress = translate(settings, words.paymentsMade)
    .replace('{paid}', String(madeCount))
    .replace('{count}', String(payments?.filter((it) => it.state !== 'credited').length));
  return {
    label: headline ? `${label} ${amount}` : label,
    headline: headline ? say(headline, date) : amount,
    isSentence: !!headline,
    status: busy
      ? say(words.opening)
      : openFailed
        ? say(words.openFailed)
        : status
          ? say(status, date)
          : progress,
    action: say(state.action),
    terms: say(state.terms),
    isPrimary: state.isPrimary ?? false,
    payments: payments ? segmentsOf(payments) : (state.bar ?? []),
    details: payments
      ? paymentRows(settings, payments)
      : (state.details ?? []).map((it, index, { length }) => ({
          text: say(it),
          isPoint: length > 1,
          isExtra: index > 1,
        })),
  };
}

interface StateContent {
  /** Replaces the amount, which is then shown next to the label. */
  headline?: Phrase;
  /** If undefined, the number of payments made is shown. */
  status?: Phrase;
  /** `YYYY-MM-DD`, for headline and status. */
  date?: string | null;
  action: Phrase;
  terms: Phrase;
  isPrimary?: boolean;
  /** The bar, if there are no payments. */
  bar?: SegmentState[];
  payments?: ShownPayment[] | undefined;
  details?: Phrase[];
}

const offer = {
  status: words.offerStatus,
  action: words.offerAction,
  terms: words.offerTerms,
  isPrimary: true,
  bar: offeredPayments,
  details: [words.offerCost, words.offerConsent, words.offerCount],
} satisfies StateContent;

const nothingDue = {
  status: words.nothingDue,
  action: words.detailsAction,
  terms: words.nothingDueTerms,
  details: [words.nothingDueHint],
} satisfies StateContent;

const unavailable = {
  status: words.unavailable,
  action: words.unavailableAction,
  terms: words.unavailableTerms,
  details: [words.unavailableHint],
} satisfies StateContent;

function contentForState({ settings, session, refused }: Instance): StateContent {
  const status = knownStatus(session);
  const date = session?.next_payment_on ?? null;
  // A service of version 0.2 or older sends no payments.
  const payments = session?.payments?.length ? withCredited(session) : undefined;
  // A current plan is shown whatever the balance is.
  if (status === 'has_plan' || status === 'payment_failed' || status === 'past_due') {
    const plan: StateContent = { action: words.planAction, terms: words.planTerms, payments };
    if (status === 'past_due' && date) {
      return {
        ...plan,
        headline: words.pastDue,
        status: words.pastDueStatus,
        date,
        action: words.pastDueAction,
        isPrimary: true,
      };
    }
    if (status === 'payment_failed') {
      return {
        ...plan,
        headline: words.paymentFailed,
        ...(payments ? {} : { status: words.planStatus }),
        action: words.detailsAction,
        isPrimary: true,
      };
    }
    const headline = date ? words.nextPayment : words.planActive;
    if (payments) return { ...plan, headline, date };
    return { ...plan, headline, status: words.planStatus, date };
  }
  if (status === 'starting') {
    return {
      headline: words.starting,
      status: words.startingStatus,
      action: words.inReviewAction,
      terms: words.planTerms,
      payments,
    };
  }
  // The same words for every reason: others may see this page.
  if (status === 'needs_attention') {
    return {
      headline: words.needsAttention,
      status: words.needsAttentionStatus,
      action: words.detailsAction,
      terms: words.planTerms,
      isPrimary: true,
    };
  }
  if (settings.balance <= 0) {
    if (status !== 'paid_off') return nothingDue;
    // One filled segment, because everything is paid.
    return { ...nothingDue, status: words.paidOff, bar: ['paid'] };
  }
  switch (status) {
    case 'new':
    case 'can_split':
    // The page knows of a balance that portal_info has not reported to the service yet.
    case 'nothing_due':
    case 'paid_off':
      return offer;
    case 'applied':
      return { ...offer, status: words.appliedStatus, action: words.appliedAction };
    case 'in_review':
      return {
        ...offer,
        status: words.inReviewStatus,
        action: words.inReviewAction,
        isPrimary: false,
        bar: [],
        details: [words.offerCost, words.offerConsent],
      };
    case 'approved':
      return {
        ...offer,
        status: words.approvedStatus,
        action: words.approvedAction,
        terms: words.approvedTerms,
      };
    case 'too_early':
      return {
        ...offer,
        status: words.tooEarlyStatus,
        date: session?.available_on ?? null,
        action: words.detailsAction,
        isPrimary: false,
        bar: [],
      };
    case 'moved_out': {
      const gone = settings.productVariant === 'hoa' ? words.sold : words.movedOut;
      return { ...unavailable, status: gone, action: words.detailsAction };
    }
    case 'unavailable': {
      // A refused page has nothing to open.
      if (refused) return { ...unavailable, action: words.detailsAction };
      const until = session?.available_on;
      return until ? { ...unavailable, status: words.unavailableUntil, date: until } : unavailable;
    }
  }
}

type Status = NonNullable<NonNullable<Instance['session']>['status']>;

/** Each status that this version has texts for. */
const statuses: Record<Status, true> = {
  new: true,
  can_split: true,
  applied: true,
  in_review: true,
  approved: true,
  has_plan: true,
  starting: true,
  payment_failed: true,
  past_due: true,
  paid_off: true,
  nothing_due: true,
  too_early: true,
  moved_out: true,
  needs_attention: true,
  unavailable: true,
};

/**
 * Returns the status, or the coarser state for a status that this version does not know, or `unavailable`,
 * where the experience opens and explains. Before the first response the widget shows the offer.
 */
function knownStatus(session: Instance['session']): Status {
  if (!session) return 'new';
  const known = [session.status, session.state].find((it) => it && Object.hasOwn(statuses, it));
  return known ?? 'unavailable';
}

/** Returns all of the plan's payments by due date, including those that a credit has paid. */
function withCredited({ payments = [], credited_on = [] }: WidgetSession): ShownPayment[] {
  const credited = credited_on.map((due_on) => ({ due_on, state: 'credited' as const }));
  return [...payments, ...credited].sort((a, b) => (a.due_on < b.due_on ? -1 : 1));
}

function segmentsOf(payments: ShownPayment[]): SegmentState[] {
  // While a payment is late, none is marked as the next one.
  const isLate = payments.some((it) => it.state === 'past_due' || it.state === 'failed');
  const next = isLate ? undefined : payments.find((it) => it.state === 'due');
  return payments.map((it) => {
    if (it === next) return it.moved ? 'next-moved' : 'next';
    return it.moved && it.state === 'due' ? 'moved' : it.state;
  });
}

const stateWords: Record<SegmentState, Phrase> = {
  paid: words.paid,
  processing: words.processing,
  failed: words.failed,
  past_due: words.late,
  next: words.next,
  'next-moved': words.next,
  due: words.scheduled,
  moved: words.scheduled,
  credited: words.credit,
};

/** The most payments that are listed in one column: as many as a plan usually has. */
const rowCount = 4;

/** Returns the payments by day. One column lists up to four around the next one, or two if space is short. */
function paymentRows(settings: SvcSettings, payments: ShownPayment[]): Detail[] {
  const segments = segmentsOf(payments);
  const openIndex = segments.findIndex((it) => /past_due|failed|next/.test(it));
  const currentIndex = openIndex < 0 ? payments.length - 1 : openIndex;
  const firstRow = Math.max(0, Math.min(currentIndex - 1, payments.length - rowCount));
  const firstKept = Math.max(firstRow, Math.min(currentIndex, payments.length - 2));
  return payments.map(({ due_on }, index) => {
    const name = segments[index] ?? 'due';
    return {
      text: formatDay(settings, due_on),
      state: { name, text: translate(settings, stateWords[name]) },
      isExtra: index < firstKept || index > firstKept + 1,
      isFar: index < firstRow || index >= firstRow + rowCount,
    };
  });
}

function formatMoney(settings: SvcSettings, cents: number): string {
  const style = { style: 'currency', currency: 'USD' } as const;
  return (cents / 100).toLocaleString(widgetLanguage(settings), style);
}

/** Formats a day, such as "Feb 15". A time without a zone is local, so the day is the same everywhere. */
function formatDay(settings: SvcSettings, date: string): string {
  const style = { day: 'numeric', month: 'short' } as const;
  return new Date(`${date}T00:00`).toLocaleDateString(widgetLanguage(settings), style);
}

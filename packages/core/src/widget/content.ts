import type { Instance } from '../instance.ts';
import type { Phrase } from '../locales/locale.ts';
import { translate, widgetLanguage } from '../locales/translate.ts';
import * as words from '../locales/words.ts';
import type { SvcSettings } from '../settings.ts';

/** The texts of the widget, translated. */
export interface Content {
  label: string;
  amount: string;
  status: string;
  action: string;
  /** The legal line. */
  terms: string;
  /** An invitation to split: filled button, and the bar of payments. Otherwise the widget is quiet. */
  isOffer: boolean;
}

/** The texts about the balance and the tenant. None is empty, so that the layout does not move. */
export function widgetContent(instance: Instance): Content {
  const { settings, busy, openFailed } = instance;
  const { balance, productVariant } = settings;
  const label = productVariant === 'hoa' ? words.dues : words.balance;
  const { status, date, action, terms, isOffer } = contentForState(instance);
  const say = (phrase: Phrase) => translate(settings, phrase);
  return {
    label: say(balance < 0 ? words.credit : label),
    amount: formatMoney(settings, Math.abs(balance)),
    status: say(busy ? words.opening : openFailed ? words.openFailed : status).replace(
      '{date}',
      date ? formatDay(settings, date) : '',
    ),
    action: say(action),
    terms: say(terms),
    isOffer,
  };
}

interface StateContent {
  status: Phrase;
  /** `YYYY-MM-DD`, for the status. */
  date?: string | null;
  action: Phrase;
  terms: Phrase;
  isOffer: boolean;
}

function contentForState({ settings, session, refused }: Instance): StateContent {
  // A current plan is shown whatever the balance is.
  if (session?.state === 'has_plan') {
    const date = session.next_payment_on;
    return {
      status: date ? words.nextPayment : words.planActive,
      date,
      action: words.planAction,
      terms: words.planTerms,
      isOffer: false,
    };
  }
  if (settings.balance <= 0) {
    return {
      status: words.nothingDue,
      action: words.detailsAction,
      terms: words.nothingDueTerms,
      isOffer: false,
    };
  }
  switch (session?.state) {
    case undefined:
    case 'new':
    case 'can_split':
    // The page knows of a balance that portal_info has not reported to the service yet.
    case 'nothing_due':
      return {
        status: words.offerStatus,
        action: words.offerAction,
        terms: words.offerTerms,
        isOffer: true,
      };
    // `unavailable`, and states of a newer service. The experience opens and explains.
    default: {
      const date = session?.available_on;
      return {
        status: date ? words.unavailableUntil : words.unavailable,
        date: date ?? null,
        // A refused page has nothing to open.
        action: refused ? words.detailsAction : words.unavailableAction,
        terms: words.unavailableTerms,
        isOffer: false,
      };
    }
  }
}

function formatMoney(settings: SvcSettings, cents: number): string {
  const style = { style: 'currency', currency: 'USD' } as const;
  return (cents / 100).toLocaleString(widgetLanguage(settings), style);
}

/** Such as "Feb 15". A time without a zone is local, so the day stays the same day everywhere. */
function formatDay(settings: SvcSettings, date: string): string {
  const style = { day: 'numeric', month: 'short' } as const;
  return new Date(`${date}T00:00`).toLocaleDateString(widgetLanguage(settings), style);
}

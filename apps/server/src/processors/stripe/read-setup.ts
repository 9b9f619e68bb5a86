import { type CardBrand, cardBrands } from '@svc/contract';
import type Stripe from 'stripe';
import type { Creditor } from '../../creditor.ts';
import type { CardFace, Registered, SetupStep } from '../../domain/payments/processor.ts';

/**
 * Our permission to debit, which Stripe's page shows above its button, next to the mandate of its
 * own. At most 1,200 characters.
 */
export function mandateText({ name, supportEmail }: Creditor): string {
  return (
    `By continuing, you allow ${name} to debit this bank account for the payments of your payment ` +
    `plan: each amount on the day that your agreement names, or on the day to which you move it, ` +
    `and again if your bank returns it because there isn’t enough money. The permission lasts until you revoke it. ` +
    `To revoke it, email ${supportEmail} at least three business days before a payment.`
  );
}

type ExpandedSession = Stripe.Checkout.Session & {
  readonly setup_intent: Stripe.SetupIntent | null;
};

/** The parts of a Checkout Session to be expanded for `stepOf`. */
export const expandedParts = [
  'setup_intent',
  'setup_intent.payment_method',
  'setup_intent.mandate',
];

/** The state of a setup on Stripe's page. */
export function stepOf(session: Stripe.Checkout.Session): SetupStep {
  const { id: ref, status, url, setup_intent: intent } = session as ExpandedSession;
  if (status === 'expired') return { kind: 'failed', ref, reason: 'expired' };
  if (status === 'open' && url) return { kind: 'redirect', ref, url };
  switch (intent?.status) {
    case 'succeeded':
      return registeredFrom(session, intent);
    case 'requires_payment_method':
      return { kind: 'failed', ref, reason: 'not_verified' };
    case 'canceled':
      return { kind: 'failed', ref, reason: 'canceled' };
    // Micro-deposits take one or two business days, and the tenant ten days at most to confirm them.
    default:
      return { kind: 'pending', ref };
  }
}

function registeredFrom(
  { id: ref, custom_text }: Stripe.Checkout.Session,
  intent: Stripe.SetupIntent,
): SetupStep {
  const method = intent.payment_method;
  const customer = typeof intent.customer === 'object' ? intent.customer?.id : intent.customer;
  if (method === null || typeof method !== 'object' || !customer) {
    throw new Error(`${ref} succeeded without an account or card`);
  }
  const text = custom_text.submit?.message ?? '';
  const { card, us_bank_account: account } = method;
  if (card) {
    if (card.funding !== 'debit') return { kind: 'failed', ref, reason: 'credit_card' };
    if (!isBrand(card.brand)) return { kind: 'failed', ref, reason: 'card_not_accepted' };
    return {
      kind: 'ready',
      ref,
      method: {
        type: 'card',
        ...faceOf(card.brand, card),
        instrument: { type: 'reference', customer, method: method.id, mandate: null },
      },
    };
  }
  if (!account?.last4) throw new Error(`${ref} gave a payment method that we did not ask for`);
  const registered: Registered = {
    type: 'bank_account',
    brand: null,
    last4: account.last4,
    expires: null,
    ...(account.fingerprint && { fingerprint: account.fingerprint }),
    instrument: {
      type: 'reference',
      customer,
      method: method.id,
      mandate: mandateOf(intent, text),
    },
  };
  return { kind: 'ready', ref, method: registered };
}

function faceOf(
  brand: CardBrand,
  { last4, exp_year, exp_month }: Stripe.PaymentMethod.Card,
): CardFace {
  return { brand, last4, expires: `${exp_year}-${String(exp_month).padStart(2, '0')}` };
}

/** The face of a card; null for one that we do not take. */
export function readCard(card: Stripe.PaymentMethod.Card): CardFace | null {
  return isBrand(card.brand) ? faceOf(card.brand, card) : null;
}

function mandateOf({ id, mandate }: Stripe.SetupIntent, text: string) {
  if (mandate === null || typeof mandate !== 'object') throw new Error(`${id} has no mandate`);
  const acceptedAt = mandate.customer_acceptance.accepted_at;
  return {
    ref: mandate.id,
    text,
    acceptedAt: acceptedAt === null ? null : new Date(acceptedAt * 1_000).toISOString(),
  };
}

function isBrand(brand: string): brand is CardBrand {
  return brand in cardBrands;
}

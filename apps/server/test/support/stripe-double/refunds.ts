import type { Refund } from './objects.ts';
import { type AccountState, achDays, find, Refused } from './state.ts';

/** Creates the refunds of an account. A refund to a card ends at once, one to a bank account after days. */
export function createRefunds(state: AccountState) {
  function createRefund(
    intentId: string,
    amount: number | undefined,
    metadata: Record<string, string>,
  ): Refund {
    const intent = find(state.paymentIntents, 'payment_intent', intentId);
    const charge = find(state.charges, 'charge', intent.latest_charge ?? '');
    if (intent.status !== 'succeeded') {
      throw new Refused(400, {
        type: 'invalid_request_error',
        code: 'charge_not_refundable',
        message: 'This PaymentIntent does not have a successful charge to refund.',
      });
    }
    const isTakenBack = [...state.disputes.values()].some(
      (it) => it.charge === charge.id && it.status !== 'won' && !it.status.startsWith('warning'),
    );
    if (isTakenBack) {
      throw new Refused(400, {
        type: 'invalid_request_error',
        code: 'charge_disputed',
        message: 'This charge has been charged back; cannot issue a refund.',
      });
    }
    const left = charge.amount - charge.amount_refunded;
    const requested = amount ?? left;
    if (left === 0 || requested > left) {
      throw new Refused(400, {
        type: 'invalid_request_error',
        code: left === 0 ? 'charge_already_refunded' : 'refund_amount_too_large',
        message: `Refund amount is greater than unrefunded amount on charge (${left}).`,
      });
    }
    charge.amount_refunded += requested;
    charge.refunded = charge.amount_refunded === charge.amount;
    const isCard = intent.payment_method_types[0] === 'card';
    const refund: Refund = {
      id: state.newId(isCard ? 're' : 'pyr'),
      object: 'refund',
      created: state.nowSeconds(),
      amount: requested,
      currency: intent.currency,
      charge: charge.id,
      payment_intent: intent.id,
      metadata,
      status: isCard ? 'succeeded' : 'pending',
    };
    state.refunds.set(refund.id, refund);
    state.emit('refund.created', refund);
    state.emit('charge.refunded', charge);
    if (!isCard) {
      state.afterDays(achDays, () => {
        if (refund.status !== 'pending') return;
        refund.status = 'succeeded';
        state.emit('refund.updated', refund);
      });
    }
    return refund;
  }

  /** Lets the tenant's bank refuse the refund, which Stripe reports days later. */
  function failRefund(id: string, reason: string): void {
    const refund = find(state.refunds, 'refund', id);
    const charge = find(state.charges, 'charge', refund.charge);
    refund.status = 'failed';
    refund.failure_reason = reason;
    charge.amount_refunded -= refund.amount;
    charge.refunded = false;
    state.emit('refund.failed', refund);
  }

  return { createRefund, failRefund };
}

import type { Dispute } from './objects.ts';
import { type AccountState, find } from './state.ts';

/** Payments that a bank takes back: returned debits and chargebacks. */
export function createDisputes(state: AccountState) {
  /** The bank takes a payment back after it succeeded. */
  function dispute(intentId: string, networkCode?: string): Dispute | undefined {
    const intent = find(state.paymentIntents, 'payment_intent', intentId);
    const charge = find(state.charges, 'charge', intent.latest_charge ?? '');
    if (intent.status !== 'succeeded' || charge.disputed) return undefined;
    const isBank = intent.payment_method_types[0] === 'us_bank_account';
    const code = networkCode ?? (isBank ? 'R10' : 'fraudulent');
    charge.disputed = true;
    const made: Dispute = {
      id: state.newId('du'),
      object: 'dispute',
      created: state.nowSeconds(),
      amount: charge.amount,
      charge: charge.id,
      payment_intent: intentId,
      reason: isBank ? reasonOf(code) : code,
      network_reason_code: isBank ? code : '10.4',
      payment_method_details: isBank ? undefined : { type: 'card' },
      metadata: {},
      status: isBank ? 'lost' : 'needs_response',
    };
    state.disputes.set(made.id, made);
    state.emit('charge.dispute.created', made);
    state.emit('charge.dispute.funds_withdrawn', made);
    // A returned debit cannot be contested, so its dispute is closed at once.
    if (isBank) state.emit('charge.dispute.closed', made);
    return made;
  }

  function closeDispute(id: string, status: 'won' | 'lost'): void {
    const closed = find(state.disputes, 'dispute', id);
    closed.status = status;
    if (status === 'won') state.emit('charge.dispute.funds_reinstated', closed);
    state.emit('charge.dispute.closed', closed);
  }

  return { dispute, closeDispute };
}

function reasonOf(code: string): string {
  if (code === 'R01' || code === 'R09') return 'insufficient_funds';
  if (code === 'R02' || code === 'R03' || code === 'R04') return 'incorrect_account_details';
  return code === 'R16' || code === 'R20' ? 'bank_cannot_process' : 'debit_not_authorized';
}

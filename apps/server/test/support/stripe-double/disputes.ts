import type { Dispute } from './objects.ts';
import { type AccountState, find } from './state.ts';

/** How long a bank takes an answer. */
const answerSeconds = 20 * 86_400;

/** Payments that a bank reverses: returned debits and chargebacks. */
export function createDisputes(state: AccountState) {
  function insert(
    intentId: string,
    status: Dispute['status'],
    networkCode?: string,
    amount?: number,
  ): Dispute {
    const intent = find(state.paymentIntents, 'payment_intent', intentId);
    const charge = find(state.charges, 'charge', intent.latest_charge ?? '');
    const isBank = intent.payment_method_types[0] === 'us_bank_account';
    const code = networkCode ?? (isBank ? 'R10' : 'fraudulent');
    const created = state.nowSeconds();
    const made: Dispute = {
      id: state.newId('du'),
      object: 'dispute',
      created,
      amount: amount ?? charge.amount,
      charge: charge.id,
      payment_intent: intentId,
      reason: isBank ? reasonOf(code) : code,
      network_reason_code: isBank ? code : '10.4',
      payment_method_details: isBank ? undefined : { type: 'card' },
      metadata: {},
      evidence_details: { due_by: created + answerSeconds },
      balance_transactions: [],
      status,
    };
    state.disputes.set(made.id, made);
    return made;
  }

  function move(made: Dispute, amount: number): void {
    made.balance_transactions.push({ amount, currency: 'usd' });
  }

  /** The bank takes a payment back after it succeeded, or `amount` cents of it. */
  function dispute(intentId: string, networkCode?: string, amount?: number): Dispute | undefined {
    const intent = find(state.paymentIntents, 'payment_intent', intentId);
    const charge = find(state.charges, 'charge', intent.latest_charge ?? '');
    const isBank = intent.payment_method_types[0] === 'us_bank_account';
    // A debit is returned once. A card's payment can be disputed again.
    if (intent.status !== 'succeeded' || (isBank && charge.disputed)) return undefined;
    charge.disputed = true;
    const made = insert(intentId, isBank ? 'lost' : 'needs_response', networkCode, amount);
    state.emit('charge.dispute.created', made);
    move(made, -made.amount);
    state.emit('charge.dispute.funds_withdrawn', made);
    // A returned debit cannot be contested, so its dispute is closed at once.
    if (isBank) state.emit('charge.dispute.closed', made);
    return made;
  }

  /** A card's bank asks about a payment and takes nothing. */
  function inquire(intentId: string): Dispute {
    const made = insert(intentId, 'warning_needs_response');
    state.emit('charge.dispute.created', made);
    return made;
  }

  function closeInquiry(id: string): void {
    const made = find(state.disputes, 'dispute', id);
    made.status = 'warning_closed';
    state.emit('charge.dispute.closed', made);
  }

  /** Stripe calls a dispute that is won in part `lost`, and gives `reinstated` cents back. */
  function closeDispute(id: string, status: 'won' | 'lost', reinstated?: number): void {
    const closed = find(state.disputes, 'dispute', id);
    closed.status = status;
    const given = reinstated ?? (status === 'won' ? closed.amount : 0);
    if (given > 0) {
      move(closed, given);
      state.emit('charge.dispute.funds_reinstated', closed);
    }
    state.emit('charge.dispute.closed', closed);
  }

  return { dispute, inquire, closeInquiry, closeDispute };
}

function reasonOf(code: string): string {
  if (code === 'R01' || code === 'R09') return 'insufficient_funds';
  if (code === 'R02' || code === 'R03' || code === 'R04') return 'incorrect_account_details';
  return code === 'R16' || code === 'R20' ? 'bank_cannot_process' : 'debit_not_authorized';
}

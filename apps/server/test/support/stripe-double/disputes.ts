import type { Dispute } from './objects.ts';
import { type AccountState, find } from './state.ts';

/** The time within which a bank accepts an answer to a dispute. */
const answerPeriodSeconds = 20 * 86_400;

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
    const newDispute: Dispute = {
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
      evidence_details: { due_by: created + answerPeriodSeconds },
      balance_transactions: [],
      status,
    };
    state.disputes.set(newDispute.id, newDispute);
    return newDispute;
  }

  function addBalanceTransaction(target: Dispute, amount: number): void {
    target.balance_transactions.push({ amount, currency: 'usd' });
  }

  /** Lets the bank take back a succeeded payment, or `amount` cents of it. Undefined if it cannot be taken back. */
  function dispute(intentId: string, networkCode?: string, amount?: number): Dispute | undefined {
    const intent = find(state.paymentIntents, 'payment_intent', intentId);
    const charge = find(state.charges, 'charge', intent.latest_charge ?? '');
    const isBank = intent.payment_method_types[0] === 'us_bank_account';
    // A debit is returned once. A card's payment can be disputed again.
    if (intent.status !== 'succeeded' || (isBank && charge.disputed)) return undefined;
    charge.disputed = true;
    const newDispute = insert(intentId, isBank ? 'lost' : 'needs_response', networkCode, amount);
    state.emit('charge.dispute.created', newDispute);
    addBalanceTransaction(newDispute, -newDispute.amount);
    state.emit('charge.dispute.funds_withdrawn', newDispute);
    // A returned debit cannot be contested, so its dispute is closed at once.
    if (isBank) state.emit('charge.dispute.closed', newDispute);
    return newDispute;
  }

  /** Opens an inquiry: a card's bank asks about a payment and takes nothing. */
  function inquire(intentId: string): Dispute {
    const newDispute = insert(intentId, 'warning_needs_response');
    state.emit('charge.dispute.created', newDispute);
    return newDispute;
  }

  function closeInquiry(id: string): void {
    const inquiry = find(state.disputes, 'dispute', id);
    inquiry.status = 'warning_closed';
    state.emit('charge.dispute.closed', inquiry);
  }

  /** Closes a dispute. Stripe calls one that is won in part `lost`, and gives `reinstated` cents back. */
  function closeDispute(id: string, status: 'won' | 'lost', reinstated?: number): void {
    const closed = find(state.disputes, 'dispute', id);
    closed.status = status;
    const reinstatedCents = reinstated ?? (status === 'won' ? closed.amount : 0);
    if (reinstatedCents > 0) {
      addBalanceTransaction(closed, reinstatedCents);
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

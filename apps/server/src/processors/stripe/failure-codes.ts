// Translates Stripe's codes for failed payments to those of our contract. A code that is not listed is
// kept as Stripe sent it; domain/payments/return-codes.ts then stops collecting and asks for a look.

/** A bank account's decline code, when Stripe does not name the Nacha code. */
const ofBankAccounts: Readonly<Record<string, string>> = {
  insufficient_funds: 'R01',
  account_closed: 'R02',
  bank_account_closed: 'R02',
  no_account: 'R03',
  bank_account_invalid_details: 'R03',
  invalid_account_number: 'R04',
  debit_not_authorized: 'R10',
  recipient_deceased: 'R15',
  bank_account_frozen: 'R16',
  bank_account_restricted: 'R20',
};

const ofCards: Readonly<Record<string, string>> = {
  insufficient_funds: 'insufficient_funds',
  withdrawal_count_limit_exceeded: 'insufficient_funds',
  card_velocity_exceeded: 'insufficient_funds',
  expired_card: 'expired_card',
  invalid_expiry_month: 'expired_card',
  invalid_expiry_year: 'expired_card',
  lost_card: 'lost_or_stolen',
  stolen_card: 'lost_or_stolen',
  pickup_card: 'lost_or_stolen',
  revocation_of_authorization: 'authorization_revoked',
  revocation_of_all_authorizations: 'authorization_revoked',
  stop_payment_order: 'authorization_revoked',
  processing_error: 'processing_error',
  issuer_not_available: 'processing_error',
  reenter_transaction: 'processing_error',
  try_again_later: 'processing_error',
  card_declined: 'card_declined',
  generic_decline: 'card_declined',
  do_not_honor: 'card_declined',
  call_issuer: 'card_declined',
  no_action_taken: 'card_declined',
  transaction_not_allowed: 'card_declined',
};

const ofReturnedDebits: Readonly<Record<string, string>> = {
  insufficient_funds: 'R01',
  incorrect_account_details: 'R03',
  debit_not_authorized: 'R10',
  bank_cannot_process: 'R20',
};

/** Codes that mean that the bank asks for the tenant's confirmation, or that the tenant did not give it. */
const ofConfirmations: ReadonlySet<string> = new Set([
  'authentication_required',
  'authentication_not_handled',
  'payment_intent_authentication_failure',
]);

const nachaCode = /^R\d\d$/;

/** The parts of a PaymentIntent's last error, or of the error of a refused request. */
interface StripeFailure {
  readonly code?: string | undefined;
  readonly decline_code?: string | undefined;
  readonly network_decline_code?: string | undefined;
  readonly advice_code?: string | undefined;
}

/** Returns the contract's code of a failed payment. */
export function returnCodeOf(type: 'us_bank_account' | 'card', failure: StripeFailure): string {
  const {
    network_decline_code: network,
    decline_code: decline,
    code,
    advice_code: advice,
  } = failure;
  const word = decline || code || 'unknown';
  if (type === 'us_bank_account') {
    if (network !== undefined && nachaCode.test(network)) return network;
    return ofBankAccounts[word] ?? word;
  }
  if ([word, code].some((it) => it !== undefined && ofConfirmations.has(it))) {
    return 'authentication_required';
  }
  // Card networks charge a penalty for repeating such a charge, so it gets a code that we never retry.
  if (advice === 'do_not_try_again') return `final_${word}`;
  return ofCards[word] ?? word;
}

interface StripeDispute {
  readonly reason: string;
  readonly network_reason_code?: string | null;
  readonly payment_method_details?: { readonly type: string };
}

/** Returns the contract's code of a payment that was reversed after it succeeded. */
export function returnCodeOfDispute(dispute: StripeDispute): string {
  const { reason, network_reason_code: network, payment_method_details: details } = dispute;
  if (network && nachaCode.test(network)) return network;
  if (details?.type === 'card') return 'charged_back';
  return ofReturnedDebits[reason] ?? 'charged_back';
}

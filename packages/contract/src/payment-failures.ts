// Why a payment failed, in words for the tenant. No dependencies: the experience bundles this file.

/** The Nacha return codes with which a bank returns a debit. */
export const returnCodes = {
  R01: 'There wasn’t enough money in the account.',
  R02: 'The account is closed.',
  R03: 'The bank couldn’t find the account.',
  R04: 'The account number isn’t valid.',
  R05: 'The payment was reported as unauthorized.',
  R07: 'Permission to charge payments was withdrawn.',
  R08: 'The bank was asked to stop the payment.',
  R09: 'The money in the account wasn’t available yet.',
  R10: 'The payment was reported as unauthorized.',
  R11: 'The payment was reported as different from what was authorized.',
  R16: 'The account is frozen.',
  R20: 'This account doesn’t allow automatic payments.',
} as const;
export type ReturnCode = keyof typeof returnCodes;

/** The codes with which a card's bank declines a payment. */
export const declineCodes = {
  insufficient_funds: 'There wasn’t enough money in the account.',
  card_declined: 'The bank didn’t say why.',
  processing_error: 'The bank didn’t respond.',
  expired_card: 'The card has expired.',
  lost_or_stolen: 'The card was reported lost or stolen.',
  authorization_revoked: 'Permission to charge payments was withdrawn.',
} as const;
export type DeclineCode = keyof typeof declineCodes;

/** Why a card's bank reversed a payment that had succeeded. */
export const chargebackCodes = {
  charged_back: 'This payment was disputed with your card’s bank.',
} as const;
export type ChargebackCode = keyof typeof chargebackCodes;

/** The card's bank asks the tenant to confirm the payment, and does not make it before. */
export const confirmationCodes = {
  authentication_required: 'The bank wants you to confirm this payment.',
} as const;
export type ConfirmationCode = keyof typeof confirmationCodes;

export const failureCodes = { ...returnCodes, ...declineCodes };
export type FailureCode = keyof typeof failureCodes;

/** The codes of an account or card that is unusable, so that a retry cannot succeed. */
const finalCodes: readonly string[] = [
  'R02',
  'R03',
  'R04',
  'R16',
  'R20',
  'expired_card',
  'lost_or_stolen',
] satisfies FailureCode[];

export function isFinalRefusal(code: string): boolean {
  return finalCodes.includes(code);
}

/** Why no account or card was added on the page of the payment processor. */
export const setupFailures = {
  credit_card: 'Only debit cards are accepted. Use a debit card or a bank account.',
  card_not_accepted: 'Only Visa and Mastercard debit cards are accepted. Use another card.',
  not_verified: 'The bank account couldn’t be verified. Try again, or use another account.',
  expired: 'The page was open too long. Start over.',
  canceled: 'Nothing was added. Start over.',
} as const;
export type SetupFailure = keyof typeof setupFailures;

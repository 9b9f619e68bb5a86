// Why a payment failed, in words for the tenant. No dependencies: the experience bundles this file.

/** The Nacha return codes with which a bank returns a debit. */
export const returnCodes = {
  R01: 'There was not enough money in the account.',
  R02: 'The account is closed.',
  R03: 'The bank found no such account.',
  R04: 'The account number is not valid.',
  R05: 'The payment was reported as not allowed for this account.',
  R07: 'The permission to take payments was revoked.',
  R08: 'The payment was stopped at the bank.',
  R09: 'The money in the account was not available yet.',
  R10: 'The payment was reported as not allowed.',
  R11: 'The payment was reported as not agreed.',
  R16: 'The account is frozen.',
  R20: 'The account does not take payments of this kind.',
} as const;
export type ReturnCode = keyof typeof returnCodes;

/** The codes with which a card's bank declines a payment. */
export const declineCodes = {
  insufficient_funds: 'There was not enough money in the account.',
  card_declined: 'The bank did not say why.',
  processing_error: 'The bank did not answer.',
  expired_card: 'The card has expired.',
  lost_or_stolen: 'The card was reported lost or stolen.',
  authorization_revoked: 'The permission to take payments was revoked.',
} as const;
export type DeclineCode = keyof typeof declineCodes;

/** Why a card's bank reversed a payment that had succeeded. */
export const chargebackCodes = {
  charged_back: 'The card’s bank was asked to take the payment back.',
} as const;
export type ChargebackCode = keyof typeof chargebackCodes;

/** The card's bank makes the payment only if the tenant confirms it at the bank. */
export const confirmationCodes = {
  authentication_required: 'The bank wants you to confirm this payment.',
} as const;
export type ConfirmationCode = keyof typeof confirmationCodes;

export const failureCodes = { ...returnCodes, ...declineCodes };
export type FailureCode = keyof typeof failureCodes;

/** The account or card is unusable, so a retry cannot succeed. */
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

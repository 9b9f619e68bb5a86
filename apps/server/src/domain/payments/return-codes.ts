// Every reason for which a payment fails or is returned, and our action. Banks use the Nacha codes
// R01 to R31; the other codes are those of cards, as an adapter translates them.

/**
 * - `retry`: the same debit may succeed later. At most twice, which is Nacha's rule.
 * - `other_method`: this account or card cannot be charged. The tenant has to add another one.
 * - `tenant_present`: the bank wants the tenant to confirm the payment, so a job cannot repeat it.
 * - `stop`: the tenant did not permit the debit. Nothing more is collected automatically.
 * - `review`: the file or our setup is wrong, or the cause is unknown. Not repeated; an operator has to look.
 */
type FailureAction = 'retry' | 'other_method' | 'tenant_present' | 'stop' | 'review';

interface Failure {
  /** The meaning in the words of the Nacha rules or of the card networks. */
  readonly meaning: string;
  readonly action: FailureAction;
}

export const failureFacts: Readonly<Record<string, Failure>> = {
  R01: { meaning: 'insufficient funds', action: 'retry' },
  R02: { meaning: 'account closed', action: 'other_method' },
  R03: { meaning: 'no account, or not the account of this person', action: 'other_method' },
  R04: { meaning: 'invalid account number', action: 'other_method' },
  R05: { meaning: 'debit of a consumer account as a corporate one', action: 'stop' },
  R06: { meaning: 'returned at the request of our bank', action: 'review' },
  R07: { meaning: 'authorization revoked', action: 'stop' },
  R08: { meaning: 'payment stopped', action: 'stop' },
  R09: { meaning: 'uncollected funds', action: 'retry' },
  R10: { meaning: 'originator not known, or not authorized', action: 'stop' },
  R11: { meaning: 'not in accordance with the authorization', action: 'stop' },
  R12: { meaning: 'branch sold to another bank', action: 'other_method' },
  R13: { meaning: 'invalid routing number', action: 'other_method' },
  R14: { meaning: 'representative payee deceased', action: 'stop' },
  R15: { meaning: 'account holder deceased', action: 'stop' },
  R16: { meaning: 'account frozen', action: 'other_method' },
  R17: {
    meaning: 'invalid account number, under questionable circumstances',
    action: 'other_method',
  },
  R18: { meaning: 'improper effective date', action: 'review' },
  R19: { meaning: 'amount field error', action: 'review' },
  R20: { meaning: 'non-transaction account', action: 'other_method' },
  R21: { meaning: 'invalid company identification', action: 'review' },
  R22: { meaning: 'invalid individual id', action: 'review' },
  R23: { meaning: 'credit refused by its receiver', action: 'review' },
  R24: { meaning: 'duplicate entry', action: 'review' },
  R25: { meaning: 'addenda error', action: 'review' },
  R26: { meaning: 'mandatory field error', action: 'review' },
  R27: { meaning: 'trace number error', action: 'review' },
  R28: { meaning: 'routing number check digit error', action: 'other_method' },
  R29: { meaning: 'corporate customer did not authorize', action: 'stop' },
  R30: { meaning: 'bank does not take truncated checks', action: 'review' },
  R31: { meaning: 'permissible return', action: 'stop' },

  insufficient_funds: { meaning: 'insufficient funds', action: 'retry' },
  card_declined: { meaning: 'declined without a reason', action: 'retry' },
  processing_error: { meaning: 'the bank did not answer', action: 'retry' },
  expired_card: { meaning: 'the card has expired', action: 'other_method' },
  lost_or_stolen: { meaning: 'the card was reported lost or stolen', action: 'other_method' },
  authentication_required: {
    meaning: 'the bank asks for authentication',
    action: 'tenant_present',
  },
  authorization_revoked: { meaning: 'authorization revoked', action: 'stop' },
  charged_back: { meaning: 'the tenant disputed the payment', action: 'stop' },
};

/** The codes after which a payment is tried again. The agreement authorizes exactly these retries. */
export const retriedCodes: readonly string[] = Object.entries(failureFacts)
  .filter(([, { action }]) => action === 'retry')
  .map(([code]) => code);

/** Returns our action for a failed or returned payment. A code that we do not know is never retried. */
export function actionFor(returnCode: string): FailureAction {
  return Object.hasOwn(failureFacts, returnCode)
    ? (failureFacts[returnCode]?.action ?? 'review')
    : 'review';
}

/** Nacha's categories of returned debits, each with its limit. `codes` is null if every return counts. */
export const returnCategories = [
  {
    category: 'unauthorized',
    codes: ['R05', 'R07', 'R10', 'R11', 'R29', 'R51'],
    limitPerThousand: 5,
  },
  { category: 'administrative', codes: ['R02', 'R03', 'R04'], limitPerThousand: 30 },
  { category: 'overall', codes: null, limitPerThousand: 150 },
] as const;

export type ReturnCategory = (typeof returnCategories)[number]['category'];

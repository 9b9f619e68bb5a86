/**
 * The sandbox's test bank: one tap instead of twenty digits. A test holds it equal to the
 * contract's list, which is not imported because it would bring its schemas into the bundle.
 */
export const testBank = {
  routingNumber: '110000000',
  accounts: [
    { accountNumber: '000111110000', outcome: 'succeeds' },
    { accountNumber: '000111110001', outcome: 'first_payment_fails' },
    { accountNumber: '000111110002', outcome: 'account_closed' },
  ],
} as const;

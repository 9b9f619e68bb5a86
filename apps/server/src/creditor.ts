/** The lender. Agreements, notices (Regulation B, 12 CFR 1002.9(a)(2)) and mails name all three fields. */
export interface Creditor {
  readonly name: string;
  /** The postal address, on one line. */
  readonly address: string;
  readonly supportEmail: string;
}

/** The sandbox's default. Production has none. */
export const sandboxCreditor: Creditor = {
  name: 'Svc Sandbox Finance',
  address: '1 Sandbox Street, Exampleville, TX 00000 (a sandbox, no real address)',
  supportEmail: 'help@svc.example',
};

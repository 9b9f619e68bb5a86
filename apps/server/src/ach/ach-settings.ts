/** How we send ACH files to our bank. The bank assigns the ids and names. */
export interface AchSettings {
  /** The bank's routing number of 9 digits, which is also in each trace number. */
  readonly bankRoutingNumber: string;
  readonly bankName: string;
  /** The immediate origin: 9 or 10 characters. */
  readonly originId: string;
  readonly companyId: string;
  /** On the tenant's bank statement, at most 16 characters. */
  readonly companyName: string;
  /** On the tenant's bank statement, at most 10 characters. */
  readonly description: string;
  /** Holds `outbox`, `inbox`, `archive`, `rejected` and `staging`. */
  readonly folder: string;
  /** `HHMM` in Eastern time: when files are written for the next banking day. */
  readonly cutOff: string;
  /** `HHMM` in Eastern time: when files are written that settle the same day. Undefined if they are not used. */
  readonly sameDayCutOff: string | undefined;
  /** Banking days after the effective day without a return until a debit counts as succeeded. */
  readonly returnDays: number;
  /** Test each account with an entry of zero dollars before its first debit. */
  readonly prenote: boolean;
}

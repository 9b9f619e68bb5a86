/** A payout to send. */
interface PayoutOrder {
  /** The id of the payout. It is the idempotency key, and the reference that the bank shows. */
  readonly key: string;
  readonly amountInCents: number;
  /** The operator's name for the portal's account. */
  readonly destination: string;
}

/** The outcome of a payout, as far as the rail knows it. */
export type RailOutcome =
  | {
      readonly state: 'sent' | 'paid';
      /** The bank's id of it, if it is not the key. */
      readonly reference?: string;
    }
  | { readonly state: 'failed' | 'returned'; readonly reason: string };

/**
 * Sends money to portals, such as by files or a bank's API. Outcomes are asked for, because a bank
 * reports them days later. Calls that get no answer throw; then the outcome is unknown.
 */
export interface PayoutRail {
  readonly name: string;
  /** Returns whether it sends to this destination. The operator sends the other payouts. */
  takes(destination: string): boolean;
  /**
   * Sends a payout. With a key that it has received before, it sends nothing and returns the outcome
   * of the first call, even if that call is still on its way.
   */
  send(order: PayoutOrder): Promise<RailOutcome>;
  /** Returns the outcome; null if it has never received this key. */
  find(key: string): Promise<RailOutcome | null>;
}

/** The timeout of a call, in milliseconds. Without an answer by then, its outcome is unknown. */
export const railTimeoutMs = 10_000;

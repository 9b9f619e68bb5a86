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
  /** Whether it sends to this destination. The operator sends the others. */
  takes(destination: string): boolean;
  /**
   * Sends a payout. With a key that it has received before, it sends nothing and answers what became
   * of the first call, also if that call is still on its way.
   */
  send(order: PayoutOrder): Promise<RailOutcome>;
  /** Null: it has never received this key. */
  find(key: string): Promise<RailOutcome | null>;
}

/** After this long without an answer, the outcome of a call is unknown. */
export const railTimeoutMs = 10_000;

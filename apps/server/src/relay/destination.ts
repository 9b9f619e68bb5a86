/**
 * Another system that gets every message, such as a delivery provider. The relay hands messages of one
 * partner over in order, one at a time, and those of several partners at the same time.
 */
export interface Destination {
  /** Stored with each item: `svix`, `nats`. */
  readonly name: string;
  /**
   * Hands one message over, within 20 s. Failures of the other system are results; an exception counts
   * as an unknown outcome.
   */
  send(message: RelayedMessage, earlier: Earlier): Promise<Handover>;
  close(): Promise<void>;
}

export interface Earlier {
  /** True if an earlier try of this message ended without an answer. */
  readonly outcomeUnknown: boolean;
  /** True if the destination has accepted a message of this partner before. */
  readonly partnerKnown: boolean;
}

export interface RelayedMessage {
  readonly id: string;
  readonly partnerId: string;
  /** The partner's name in the API. */
  readonly pms: string;
  /** The tenant's `external_id`; null for events about no tenant. */
  readonly subject: string | null;
  readonly type: string;
  readonly channels: readonly string[] | null;
  /** To be delivered byte for byte. */
  readonly body: string;
  readonly createdAt: Date;
}

/** Reasons are sentences for the operator, without secrets and bodies. */
export type Handover =
  | { readonly kind: 'accepted' }
  /** The message can never be accepted. The item is parked, and the next one follows. */
  | { readonly kind: 'refused'; readonly reason: string }
  /** Try again, later if `afterMs` says so. `outcomeUnknown`: it may have been accepted. */
  | {
      readonly kind: 'retry';
      readonly reason: string;
      readonly afterMs?: number;
      readonly outcomeUnknown: boolean;
    }
  /** Nothing can be sent until an operator acts, such as after a wrong token. */
  | { readonly kind: 'stopped'; readonly reason: string };

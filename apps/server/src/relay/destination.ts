/** A system outside of ours that gets every message of the outbox, in order per partner. */
export interface Destination {
  /** Stored with each item: `svix`, `nats`. */
  readonly name: string;
  /** Hands one message over. `earlier` says that an earlier try of this item ended without an answer. */
  send(message: RelayedMessage, earlier: { outcomeUnknown: boolean }): Promise<Handover>;
  close(): Promise<void>;
}

export interface RelayedMessage {
  readonly id: string;
  readonly partnerId: string;
  readonly subject: string | null;
  readonly type: string;
  readonly channels: readonly string[] | null;
  readonly body: string;
  readonly createdAt: Date;
}

export type Handover =
  | { readonly kind: 'accepted' }
  /** Can never be accepted; `reason` is for the operator. */
  | { readonly kind: 'refused'; readonly reason: string }
  /** Try again, later if `afterMs` says so. `outcomeUnknown`: it may have been accepted. */
  | {
      readonly kind: 'retry';
      readonly reason: string;
      readonly afterMs?: number;
      readonly outcomeUnknown: boolean;
    }
  /** Nothing can be sent until an operator acts (wrong token): stop this destination, report it in readiness. */
  | { readonly kind: 'stopped'; readonly reason: string };

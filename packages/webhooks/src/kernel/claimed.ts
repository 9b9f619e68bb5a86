import { oneOf } from '@svc/db';

/** Identifies one endpoint. */
export interface EndpointRef {
  readonly owner: string;
  readonly endpointId: string;
}

/** A delivery that this process has leased and is expected to attempt. */
export interface Claimed {
  readonly messageId: string;
  readonly endpointId: string;
  readonly trigger: Trigger;
  /** Failed scheduled attempts before this one. */
  readonly step: number;
  /**
   * The epoch of its open row when it was claimed; 0 under a publish lease. Each claim increments the
   * row's epoch, so a result with a lower epoch belongs to a stale lease.
   */
  readonly epoch: number;
  /** The publish lease that covers it, or null when it has an open row that carries its lease. */
  readonly lease: PublishLease | null;
  readonly owner: string;
  /** Its lane, if it has to be sent in order with others; null if not. */
  readonly lane: string | null;
  readonly type: string;
  readonly operational: boolean;
  readonly body: string;
  /** Version of the endpoint's settings that the claim read; null if it did not read them. */
  readonly version: number | null;
  /** The most deliveries of this endpoint that its claim could return. */
  readonly quota: number;
  /** Wall time in milliseconds after which the lease is too short for another attempt. */
  readonly startBefore: number;
  /** The trace of the publish; known only to the process that published. */
  readonly traceparent?: string | undefined;
}

/**
 * The lease on all deliveries of one publish: a single row instead of one for each delivery. A
 * delivery leaves the lease when an attempt of it is stored or it gets an open row.
 */
export interface PublishLease {
  readonly id: number;
  /** Deliveries that have not left the lease yet. */
  remaining: number;
  /** The publish also stored open rows of lanes, which are due. */
  readonly leftOpen: boolean;
}

/**
 * The deliveries of one subject to an ordered endpoint. They are sent one after another, by `position`:
 * the next one becomes due when the one before it has succeeded or is exhausted.
 */
export interface LaneKey {
  readonly owner: string;
  readonly endpointId: string;
  readonly lane: string;
}

/** The due time of a delivery that waits for an earlier one of its lane. The view of deliveries compares it, too. */
export const waitingDueAt = new Date('9999-01-01T00:00:00.000Z');

/** `schedule` is the delivery itself; `manual` and `recover` are extra attempts by a replay. */
export type Trigger = (typeof triggers)[number];

const triggers = ['schedule', 'manual', 'recover'] as const;

export const triggerColumn = oneOf(...triggers);

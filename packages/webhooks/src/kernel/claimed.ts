/** A delivery under this process's lease. */
export interface Claimed {
  readonly messageId: string;
  readonly endpointId: string;
  readonly trigger: Trigger;
  /** Failed attempts of the schedule before this one. */
  readonly step: number;
  /** Of the row's lease; 0 under one that it shares. */
  readonly epoch: number;
  /** The one that it shares with all of its publish; null when it has a row of its own. */
  readonly lease: Lease | null;
  readonly owner: string;
  readonly type: string;
  readonly operational: boolean;
  readonly body: string;
  /** Of the endpoint's settings, when the claim read it. */
  readonly version: number | null;
  /** How many the endpoint could have had in this claim. */
  readonly quota: number;
  /** Milliseconds of wall time after which the lease is too short for an attempt. */
  readonly startBefore: number;
}

/** What one publish leased to this process: one row stands for all of its deliveries. */
export interface Lease {
  readonly id: string;
  /** Deliveries that have not left it: no attempt of theirs is stored, and no row of their own. */
  left: number;
}

export type Trigger = 'schedule' | 'manual' | 'recover';

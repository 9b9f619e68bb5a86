import type { Bank } from '@svc/contract';
import type { Queryable } from '@svc/db';
import type { TenantKey } from '../tenant-key.ts';
import type { TenantTime } from '../tenants/time.ts';
import type { Instrument, Processor, WebhookHeaders } from './processor.ts';

/** A webhook that the simulator sends: the raw body and the headers with its signature. */
export interface SimulatedWebhook {
  readonly raw: Buffer;
  readonly headers: WebhookHeaders;
}

/** A visit to the page of a simulated bank. */
export interface BankVisit {
  readonly bank: Bank;
  /** True if an account can still be chosen. */
  readonly isOpen: boolean;
}

/** A charge that the bank will return. */
export interface PlannedReturn {
  readonly tenant: TenantKey;
  readonly key: string;
  readonly returnCode: string;
  readonly at: TenantTime;
}

/**
 * The processor of the sandbox, in the tenants' time. It keeps books that only it reads. In
 * addition to the calls of every processor, it does in our process what a real one does elsewhere.
 */
export interface Simulator extends Processor {
  /** Returns when it will report something about the tenant, for a simulated clock that moves past these times. */
  upcoming(q: Queryable, tenant: TenantKey): Promise<TenantTime[]>;
  /** Takes up to `limit` webhooks that are due by now, oldest first, of one tenant or of all. */
  takeWebhooks(
    q: Queryable,
    options: { readonly now: Date; readonly limit: number; readonly tenant?: TenantKey },
  ): Promise<SimulatedWebhook[]>;
  /** Returns how much of one movement it deposits with us, in cents; negative for a refund. */
  deposit(instrument: Instrument, amountInCents: number): number;
  /** Finds the visit for a page of a simulated bank, by the reference in its address. */
  findVisit(ref: string, now: Date): Promise<BankVisit | null>;
  /** Ends an open visit with a test account, or without one. Returns whose it was; null if it was not open. */
  endVisit(ref: string, accountNumber: string | null, now: Date): Promise<TenantKey | null>;
  /** Ends the open visits of a tenant, like `endVisit`. */
  endVisitsOf(tenant: TenantKey, accountNumber: string | null, now: Date): Promise<void>;
  /**
   * Reports at that time that the bank returned a charge. Returns when: a return that was planned
   * earlier keeps its time.
   */
  planReturn(q: Queryable, planned: PlannedReturn): Promise<TenantTime>;
  /** Makes it report nothing more about the tenant's earlier payments. */
  reset(q: Queryable, tenant: TenantKey): Promise<void>;
}

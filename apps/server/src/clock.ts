/**
 * Time as the service reads it: the system clock corrected by the database's, or that of a test.
 * `systemClock` is the only reader of the system clock and the only maker of timers.
 */
export interface Clock {
  /** Wall time. */
  now(): Date;
  /** Runs once after `ms`; returns its canceler. */
  after(ms: number, run: () => void): () => void;
}

export const systemClock: Clock = {
  now: () => new Date(),
  after(ms, run) {
    const timer = setTimeout(run, ms);
    timer.unref();
    return () => clearTimeout(timer);
  },
};

/** Simulated or real, per tenant: due dates, windows, `occurred_at`. Never expiry or signatures. */
export type TenantTime = Date & { readonly tenantTime: true };

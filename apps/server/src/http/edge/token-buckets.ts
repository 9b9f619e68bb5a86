import type { Clock } from '@svc/runtime';

/** Calls of one client that the shared bucket does not contain yet. */
export interface Usage {
  readonly client: string;
  readonly taken: number;
}

/** The shared bucket of one client after our calls were taken from it. */
interface SharedBucket {
  readonly client: string;
  readonly tokens: number;
}

interface Bucket {
  /** May be below zero; see `SharedBucket`. */
  tokens: number;
  /** When `tokens` was last brought up to date, in milliseconds. */
  refilledAt: number;
  /** Calls since the last exchange with the shared bucket. */
  taken: number;
}

/**
 * One bucket of tokens for each client. A call takes a token. Tokens come back at a constant rate up
 * to the capacity, so a client may send `capacity` calls at once, and after that only as many as
 * come back. `perMs` is the time in which an empty bucket becomes full.
 */
export class TokenBuckets {
  private readonly buckets = new Map<string, Bucket>();
  /** Clients whose `taken` is above zero. */
  private readonly used = new Set<string>();
  private readonly clock: Clock;
  private readonly capacity: number;
  private readonly tokensPerMs: number;

  constructor(clock: Clock, capacity: number, perMs: number) {
    this.clock = clock;
    this.capacity = capacity;
    this.tokensPerMs = capacity / perMs;
  }

  /** Takes a token if there is one. Returns how many are left, and the waits for the next one and for a full bucket. */
  take(client: string): { admitted: boolean; left: number; nextMs: number; fullMs: number } {
    const bucket = this.bucketOf(client);
    const admitted = bucket.tokens >= 1;
    if (admitted) {
      bucket.tokens -= 1;
      bucket.taken += 1;
      this.used.add(client);
    }
    return {
      admitted,
      left: Math.max(0, Math.floor(bucket.tokens)),
      nextMs: Math.max(0, 1 - bucket.tokens) / this.tokensPerMs,
      fullMs: (this.capacity - bucket.tokens) / this.tokensPerMs,
    };
  }

  hasUsage(): boolean {
    return this.used.size > 0;
  }

  /** Removes and returns the calls of at most `limit` clients, to be added to the shared buckets. */
  takeUsage(limit: number): Usage[] {
    const usage: Usage[] = [];
    for (const client of this.used) {
      if (usage.length === limit) break;
      const bucket = this.bucketOf(client);
      usage.push({ client, taken: bucket.taken });
      bucket.taken = 0;
      this.used.delete(client);
    }
    return usage;
  }

  /** Puts back what could not be added to the shared buckets. */
  returnUsage(usage: readonly Usage[]): void {
    for (const { client, taken } of usage) {
      this.bucketOf(client).taken += taken;
      this.used.add(client);
    }
  }

  /** Takes over the state of the shared buckets as of `at`, less the calls made since `takeUsage`. */
  adopt(shared: readonly SharedBucket[], at: Date): void {
    for (const { client, tokens } of shared) {
      const bucket = this.bucketOf(client);
      bucket.tokens = tokens - bucket.taken;
      bucket.refilledAt = at.getTime();
    }
  }

  /** Frees the memory of clients that have not called for a while. */
  dropFull(): void {
    for (const client of this.buckets.keys()) {
      const { tokens, taken } = this.bucketOf(client);
      if (tokens >= this.capacity && taken === 0) this.buckets.delete(client);
    }
  }

  private bucketOf(client: string): Bucket {
    const now = this.clock.now().getTime();
    let bucket = this.buckets.get(client);
    if (!bucket) {
      bucket = { tokens: this.capacity, refilledAt: now, taken: 0 };
      this.buckets.set(client, bucket);
    }
    // After the clock was set back, nothing comes back until it has caught up.
    const elapsed = Math.max(0, now - bucket.refilledAt);
    bucket.tokens = Math.min(this.capacity, bucket.tokens + elapsed * this.tokensPerMs);
    bucket.refilledAt += elapsed;
    return bucket;
  }
}

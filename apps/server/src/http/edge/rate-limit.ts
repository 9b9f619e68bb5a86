import { createHash } from 'node:crypto';
import { type Database, double, integer, isOutage, recordset, row, sql, text } from '@svc/db';
import { type Clock, createLoop, type Log } from '@svc/runtime';
import { RefusalWithHeaders } from '../problem.ts';
import { TokenBuckets, type Usage } from './token-buckets.ts';

interface RateLimit {
  /**
   * Counts one call and returns the RateLimit headers.
   * @throws Refusal `rate_limited`
   */
  take(client: string): Record<string, string>;
}

export interface RateLimits {
  readonly keys: RateLimit;
  /** Wrong credentials, by address. */
  readonly failures: RateLimit;
  /** Calls that need no key, by route and address. */
  readonly addresses: RateLimit;
  /** Pages, by address. */
  readonly pages: RateLimit;
  /** Runs of the doctor, by partner. */
  readonly doctor: RateLimit;
  /** Exchanges calls with the other processes now. It also happens every 200 ms while calls arrive. */
  share(): Promise<void>;
  stop(): Promise<void>;
}

interface RateLimitDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly log: Log;
  readonly requestsPerSecond: number;
  readonly requestsPerMinute: number;
}

const shareEveryMs = 200;
const dropEveryMs = 60_000;
const retryMs = 5_000;
// A page takes less than a call, and people behind one address share this.
const pagesPerCall = 5;
// Each run sends up to nine signed webhooks and gets a page of the partner's choice.
const doctorRunsPerMinute = 10;
// Keeps the statement short. The clients that did not fit are in the next one.
const clientsPerStatement = 1_000;

/**
 * Creates rate limits that all processes share. A process decides each call from its own memory. Five
 * times a second while calls arrive, it takes them from the shared buckets in the database and adopts
 * the tokens that are left in those.
 *
 * Between two exchanges, processes do not know of each other's calls and may together admit too many.
 * The excess leaves the shared bucket below zero, so the client waits until it is paid back: over
 * more than a few seconds the limit is exact. While the database is unreachable, each process
 * enforces the limit alone. An embedded database has one process, which needs no exchange.
 */
export function createRateLimits(deps: RateLimitDeps): RateLimits {
  const { db, clock, log, requestsPerSecond, requestsPerMinute } = deps;
  const limits = {
    keys: createLimit('key', requestsPerSecond, 1_000),
    failures: createLimit('failure', Math.ceil(requestsPerMinute / 2), 60_000),
    addresses: createLimit('address', requestsPerMinute, 60_000),
    pages: createLimit('page', pagesPerCall * requestsPerMinute, 60_000),
    doctor: createLimit('doctor', doctorRunsPerMinute, 60_000),
  };
  let nextDropAt = clock.now().getTime() + dropEveryMs;
  const loop = createLoop({
    clock,
    log,
    name: 'sharing the rate limits',
    retryMs,
    async turn() {
      try {
        await share();
      } catch (error) {
        // Each database outage is logged once, by watch-database.ts.
        if (isOutage(error)) return retryMs;
        throw error;
      }
      if (clock.now().getTime() >= nextDropAt) await dropFullBuckets();
      return Object.values(limits).some(({ buckets }) => buckets.hasUsage()) ? shareEveryMs : null;
    },
  });
  loop.start(null);

  function createLimit(name: string, capacity: number, perMs: number) {
    const buckets = new TokenBuckets(clock, capacity, perMs);
    return {
      buckets,
      take(client: string): Record<string, string> {
        const { admitted, left, nextMs, fullMs } = buckets.take(hashOf(name, client));
        loop.wake(shareEveryMs);
        const headers = {
          'ratelimit-limit': String(capacity),
          'ratelimit-remaining': String(left),
          'ratelimit-reset': String(Math.ceil(fullMs / 1_000)),
        };
        if (admitted) return headers;
        const wait = String(Math.max(1, Math.ceil(nextMs / 1_000)));
        throw new RefusalWithHeaders('rate_limited', { ...headers, 'retry-after': wait });
      },
      async share(): Promise<void> {
        const usage = buckets.takeUsage(clientsPerStatement);
        if (usage.length === 0 || db.kind === 'embedded') return;
        const at = clock.now();
        try {
          buckets.adopt(await takeFromShared(db, usage, { capacity, perMs, at }), at);
        } catch (error) {
          buckets.returnUsage(usage);
          throw error;
        }
      },
    };
  }

  async function share(): Promise<void> {
    for (const limit of Object.values(limits)) await limit.share();
  }

  async function dropFullBuckets(): Promise<void> {
    const now = clock.now().getTime();
    nextDropAt = now + dropEveryMs;
    for (const { buckets } of Object.values(limits)) buckets.dropFull();
    // An empty bucket is full after a minute, one that nine processes overdrew after ten.
    const before = new Date(now - 10 * 60_000);
    await db.run(sql`
      /* many rows: all buckets that are full again */
      delete from rate_limit_bucket where refilled_at < ${before}::timestamptz`);
  }

  return { ...limits, share, stop: () => loop.stop() };
}

const usageRow = row('rate limit usage', { client: text, taken: integer });
const sharedRow = row('shared rate limit bucket', { client: text, tokens: double });

/** Refills the shared buckets up to `at` and takes the given calls from them. */
function takeFromShared(
  db: Database,
  usage: readonly Usage[],
  { capacity, perMs, at }: { capacity: number; perMs: number; at: Date },
) {
  // In the same order in every process: two of them can then wait for each other, but not deadlock.
  return db.many(
    sharedRow,
    sql`
    insert into rate_limit_bucket as shared (client, tokens, refilled_at)
    select client, ${capacity}::double precision - taken, ${at}::timestamptz
    from ${recordset(usageRow, usage, 'usage')}
    order by client
    on conflict (client) do update set
      tokens = least(
        ${capacity}::double precision,
        shared.tokens + greatest(0, extract(epoch from excluded.refilled_at - shared.refilled_at))
          * ${(capacity * 1_000) / perMs}::double precision
      ) + excluded.tokens - ${capacity}::double precision,
      refilled_at = greatest(shared.refilled_at, excluded.refilled_at)
    returning client, tokens`,
  );
}

/** Clients are addresses and session ids. Neither the memory nor the database needs to keep them. */
function hashOf(limit: string, client: string): string {
  return createHash('sha256').update(`${limit} ${client}`).digest('base64url');
}

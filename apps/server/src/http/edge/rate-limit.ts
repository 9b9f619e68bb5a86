import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { RefusalWithHeaders } from '../problem.ts';

/** A limit for this process, counted in memory. */
export interface RateLimit {
  /**
   * Counts one call and returns the RateLimit headers.
   * @throws Refusal `rate_limited`
   */
  take(client: string): Promise<Record<string, string>>;
}

export interface RateLimits {
  readonly keys: RateLimit;
  /** Wrong credentials, by address. */
  readonly failures: RateLimit;
  /** Calls that need no key, by route and address. */
  readonly addresses: RateLimit;
}

export function createRateLimits(allowed: {
  readonly requestsPerSecond: number;
  readonly requestsPerMinute: number;
}): RateLimits {
  return {
    keys: createRateLimit(allowed.requestsPerSecond, 1),
    failures: createRateLimit(Math.ceil(allowed.requestsPerMinute / 2), 60),
    addresses: createRateLimit(allowed.requestsPerMinute, 60),
  };
}

function createRateLimit(points: number, seconds: number): RateLimit {
  const limiter = new RateLimiterMemory({ points, duration: seconds });
  const headersOf = (left: RateLimiterRes) => ({
    'ratelimit-limit': String(points),
    'ratelimit-remaining': String(Math.max(0, left.remainingPoints)),
    'ratelimit-reset': String(Math.ceil(left.msBeforeNext / 1000)),
  });
  return {
    async take(client) {
      try {
        return headersOf(await limiter.consume(client));
      } catch (left) {
        if (!(left instanceof RateLimiterRes)) throw left;
        const wait = String(Math.max(1, Math.ceil(left.msBeforeNext / 1000)));
        throw new RefusalWithHeaders('rate_limited', {
          ...headersOf(left),
          'retry-after': wait,
        });
      }
    },
  };
}

import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { RefusalWithHeaders } from '../problem.ts';

/** Counts per process and in memory. @throws Refusal `rate_limited` */
export interface RateLimit {
  /** Answers the headers that tell the caller how much is left. */
  take(who: string): Promise<Record<string, string>>;
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
    async take(who) {
      try {
        return headersOf(await limiter.consume(who));
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

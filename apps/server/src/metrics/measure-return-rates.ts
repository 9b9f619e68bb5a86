import type { Database, Tx } from '@svc/db';
import type { Clock, Log } from '@svc/runtime';
import { returnCategories } from '../domain/payments/return-codes.ts';
import { nachaPeriod, type ReturnRate, readReturnRates } from '../domain/payments/return-rates.ts';
import type { Sample } from './measure-stored.ts';

/** Nacha's return rates of the last 60 days. Each process reports the same: use `max` over processes. */
export const returnRateMetrics = {
  svc_ach_debits: {
    help: 'Debits of bank accounts that were sent in the last 60 days. Measured each hour.',
    labels: [],
  },
  svc_ach_return_rate: {
    help: "Share of the debits of 60 days that came back, by Nacha's category. Measured each hour.",
    labels: ['category'],
  },
  svc_ach_return_limit: {
    help: "Nacha's limit of svc_ach_return_rate.",
    labels: ['category'],
  },
  svc_ach_portals_near_limit: {
    help: 'Portals with 200 debits or more, over 80 % of the limit. Measured each hour.',
    labels: ['category'],
  },
} as const;

// Below 200 debits, a single unauthorized return is over the limit of 0.5 %.
const leastDebits = 200;
const nearShare = 0.8;

// 600,000 debits take 4 s, and the rates change slowly.
const everyMs = 3_600_000;
const afterFailureMs = 300_000;
const longestMs = 300_000;

type Measured = Readonly<Record<keyof typeof returnRateMetrics, readonly Sample[]>>;

export interface ReturnRateMeasure {
  /** The rates that were measured last; empty before. Starts to measure again if an hour has passed. */
  latest(): Partial<Measured>;
  /** Waits for a measurement that is running. */
  stop(): Promise<void>;
}

/** Measures the return rates in the background, because a scrape must not wait for seconds. */
export function createReturnRateMeasure({
  db,
  clock,
  log,
}: {
  readonly db: Database;
  readonly clock: Pick<Clock, 'now'>;
  readonly log: Log;
}): ReturnRateMeasure {
  let measured: Partial<Measured> = {};
  let running: Promise<void> | undefined;
  let dueAt = 0;

  async function measure(now: Date): Promise<void> {
    try {
      const read = (tx: Tx) => readReturnRates(tx, nachaPeriod(now));
      measured = samplesOf(await db.transaction(read, { timeoutMs: longestMs }));
      dueAt = now.getTime() + everyMs;
    } catch (error) {
      log.warn({ err: error }, 'return rates not measured');
      dueAt = now.getTime() + afterFailureMs;
    }
    running = undefined;
  }

  return {
    latest() {
      const now = clock.now();
      if (now.getTime() >= dueAt) running ??= measure(now);
      return measured;
    },
    async stop() {
      await running;
    },
  };
}

function samplesOf(rates: readonly ReturnRate[]): Measured {
  const total = rates.filter(({ pms }) => pms === null);
  const isNear = ({ debits, returned, limit }: ReturnRate) =>
    debits >= leastDebits && returned > nearShare * limit * debits;
  const near = rates.filter((it) => it.pms !== null && isNear(it));
  return {
    svc_ach_debits: [{ value: total[0]?.debits ?? 0 }],
    svc_ach_return_rate: total.map(({ category, rate }) => ({
      labels: { category },
      value: rate ?? 0,
    })),
    svc_ach_return_limit: total.map(({ category, limit }) => ({
      labels: { category },
      value: limit,
    })),
    svc_ach_portals_near_limit: returnCategories.map(({ category }) => ({
      labels: { category },
      value: near.filter((it) => it.category === category).length,
    })),
  };
}

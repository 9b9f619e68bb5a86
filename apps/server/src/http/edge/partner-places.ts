import type { Clock } from '@svc/runtime';
import { RefusalWithHeaders } from '../problem.ts';
import type { PlaceGroup, Route } from '../route.ts';
import { FairQueue } from './fair-queue.ts';

/** The most calls of one kind that a partner runs at once, and the most that wait in line. */
const sizes = {
  // Up to a minute, with ten requests to other machines.
  doctor: { atOnce: 1, waiting: 0 },
  // The verb refuses a second case of a run, so two places are enough to say so.
  certification: { atOnce: 2, waiting: 0 },
  // A second of work in dozens of transactions. With three, a parallel test suite still makes progress.
  simulation: { atOnce: 3, waiting: 60 },
  // Test sends and DNS checks: they wait for other machines, up to 15 s.
  outside: { atOnce: 10, waiting: 60 },
  // Decompressed on a thread of the pool that reads files and compresses pages, too.
  upload: { atOnce: 1, waiting: 20 },
  // The first download of a document is laid out on the main thread: 0.1 to 0.3 s in short turns.
  document: { atOnce: 1, waiting: 60 },
} as const satisfies Record<PlaceGroup, { atOnce: number; waiting: number }>;

const mostWaitMs = 30_000;

export interface PartnerPlaces {
  /**
   * Runs a call of this route when its partner has a place for it.
   * @throws Refusal `rate_limited` if too many calls of the partner wait already, or for too long
   */
  run<T>(
    route: Pick<Route, 'kind' | 'before' | 'group'>,
    caller: { readonly id: string; readonly requireCaller: () => void },
    work: () => Promise<T>,
  ): Promise<T>;
}

/**
 * Bounds one partner's long-running work. Such work holds no place of the load limit while it waits for other
 * machines, so the load limit does not bound it.
 */
export function createPartnerPlaces(clock: Clock): PartnerPlaces {
  const queueOf = ({ atOnce }: { atOnce: number }) =>
    new FairQueue({ clock, atOnce: Number.POSITIVE_INFINITY, perCaller: atOnce });
  const queues: Record<PlaceGroup, FairQueue> = {
    doctor: queueOf(sizes.doctor),
    certification: queueOf(sizes.certification),
    simulation: queueOf(sizes.simulation),
    outside: queueOf(sizes.outside),
    upload: queueOf(sizes.upload),
    document: queueOf(sizes.document),
  };
  return {
    async run(route, { id, requireCaller }, work) {
      const group = groupOf(route);
      if (group === undefined) return work();
      const queue = queues[group];
      const { atOnce, waiting } = sizes[group];
      const expired = () => tooMany(atOnce);
      if (!queue.hasPlace(id) && queue.waitingOf(id) >= waiting) throw expired();
      return queue.run(id, work, { mostWaitMs, expired, requireCaller });
    },
  };
}

/** A route that uses the network is bounded, whether or not it declares a group. */
function groupOf({
  kind,
  before,
  group,
}: Pick<Route, 'kind' | 'before' | 'group'>): PlaceGroup | undefined {
  return group ?? (kind === 'action' || before ? 'outside' : undefined);
}

function tooMany(atOnce: number): RefusalWithHeaders {
  return new RefusalWithHeaders(
    'rate_limited',
    { 'retry-after': '1' },
    {
      message: `Of this kind of call, ${atOnce === 1 ? 'one runs' : `${atOnce} run`} at once for each partner, and too many wait already. Wait for a response before you send the next one.`,
    },
  );
}

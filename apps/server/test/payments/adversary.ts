import type {
  CallKind,
  CallName,
  Outcome,
  Processor,
  ProcessorEvent,
} from '../../src/domain/payments/processor.ts';
import type { ProcessorCall } from './check-books.ts';

interface Entry {
  readonly key: string;
  readonly ref: string;
  readonly kind: CallKind;
  readonly amount: number;
  readonly of: string | null;
  state: 'processing' | 'succeeded' | 'failed';
  code: string;
  returned: 'no' | 'returned' | 'won';
  takenBack: number;
}

const codes = ['R01', 'R02', 'R09', 'R10', 'insufficient_funds'] as const;

/**
 * Creates a processor that keeps consistent books but reports them unreliably: requests and responses get
 * lost, responses come late or make no sense, and events come late, twice, in any order, or are about an older
 * state. `settle` makes it honest: every charge is decided and reported, and every call is answered.
 */
export function createAdversary(random: () => number) {
  const entries = new Map<string, Entry>();
  let events: ProcessorEvent[] = [];
  let eventIds = 0;
  let isHonest = false;

  const chance = (share: number) => !isHonest && random() < share;
  const pick = <T>(items: readonly T[]): T | undefined =>
    items[Math.floor(random() * items.length)];

  function report(event: Record<string, unknown>): void {
    eventIds += 1;
    const sent = { id: `adv_${eventIds}`, occurredAt: new Date(0), ...event } as ProcessorEvent;
    events.push(sent);
    if (chance(0.3)) events.push(sent);
  }

  const nameOf = ({ key, ref, kind }: Entry): CallName & { kind: CallKind } =>
    random() < 0.5 ? { key, ref, kind } : { key: null, ref, kind };

  function outcomeOf({ state, ref, code }: Entry): Exclude<Outcome, { state: 'unknown' }> {
    return state === 'failed' ? { state, ref, returnCode: code } : { state, ref };
  }

  function decide(entry: Entry, state: 'succeeded' | 'failed'): void {
    entry.state = state;
    entry.code = state === 'failed' ? (pick(codes) ?? 'R01') : '';
    // Sometimes no event is sent, and only `find` reports the outcome.
    if (!chance(0.2)) report({ kind: 'outcome', call: nameOf(entry), outcome: outcomeOf(entry) });
    if (chance(0.1)) {
      const outcome = { state: 'processing', ref: entry.ref };
      report({ kind: 'outcome', call: nameOf(entry), outcome });
    }
    if (chance(0.05)) {
      const outcome = { state: 'succeeded', ref: entry.ref, amountInCents: entry.amount + 1 };
      report({ kind: 'outcome', call: nameOf(entry), outcome });
    }
    if (chance(0.05)) {
      const outcome = { state: 'failed', ref: entry.ref, returnCode: 'R01' };
      report({ kind: 'outcome', call: nameOf(entry), outcome });
    }
  }

  function receive(
    kind: CallKind,
    request: { key: string; amountInCents: number },
    of: string | null,
  ): Entry {
    const { key, amountInCents: amount } = request;
    const known = entries.get(key);
    if (known) return known;
    const ref = `${kind}_${entries.size + 1}`;
    const entry: Entry = {
      key,
      ref,
      kind,
      amount,
      of,
      state: 'processing',
      code: '',
      returned: 'no',
      takenBack: 0,
    };
    entries.set(key, entry);
    const charge = of === null ? undefined : entries.get(of);
    if (of !== null && charge?.state !== 'succeeded') decide(entry, 'failed');
    else if (chance(0.4) && kind === 'charge') return entry;
    else decide(entry, kind === 'charge' && chance(0.2) ? 'failed' : 'succeeded');
    return entry;
  }

  function answer(entry: Entry): Outcome {
    if (chance(0.05)) throw new Error('socket hang up');
    if (chance(0.05)) return { state: 'unknown', reason: 'no answer in time' };
    if (chance(0.03)) return { state: 'paid' } as unknown as Outcome;
    if (chance(0.03))
      return { state: 'succeeded', ref: entry.ref, amountInCents: entry.amount - 1 };
    if (chance(0.05)) return { state: 'processing', ref: entry.ref };
    if (entry.kind === 'charge' && chance(0.03)) {
      return { state: 'requires_action', ref: entry.ref, url: null };
    }
    return outcomeOf(entry);
  }

  const processor: Processor = {
    name: 'adversary',
    accountEntry: 'banks',
    takesCards: true,
    deposits: 'daily',
    depositAccount: 'cash',
    setup: () => Promise.reject(new Error('the stage uses the simulator for this')),
    findSetup: () => Promise.reject(new Error('the stage uses the simulator for this')),
    async charge(request) {
      if (chance(0.05)) return { state: 'unknown', reason: 'lost on the way' };
      return answer(receive('charge', request, null));
    },
    async refund(request) {
      if (chance(0.05)) return { state: 'unknown', reason: 'lost on the way' };
      return answer(receive('refund', request, request.of.key));
    },
    async cancel({ key }) {
      const entry = entries.get(key ?? '');
      if (!entry) return { state: 'unknown', reason: 'no such charge' };
      if (entry.state === 'processing' && random() < 0.5) {
        entry.state = 'failed';
        entry.code = 'canceled';
      }
      return outcomeOf(entry);
    },
    async find({ key }) {
      if (chance(0.2)) return { state: 'unknown', reason: 'down' };
      const entry = entries.get(key ?? '');
      return entry ? outcomeOf(entry) : null;
    },
    parseWebhook: () => [],
    async *list() {},
  };

  const charges = (matches: (it: Entry) => boolean) =>
    [...entries.values()].filter((it) => it.kind === 'charge' && matches(it));
  const isRefunded = ({ key }: Entry) => [...entries.values()].some((it) => it.of === key);

  function decideRandomly(entry: Entry | undefined): void {
    if (entry) decide(entry, random() < 0.7 ? 'succeeded' : 'failed');
  }

  return {
    processor,
    /** Plays one event at a bank: a charge ends, a payment is returned, or we win a dispute. */
    step(): void {
      const waiting = charges((it) => it.state === 'processing');
      if (random() < 0.6) {
        decideRandomly(pick(waiting));
        return;
      }
      const paid = charges((it) => it.state === 'succeeded' && !isRefunded(it));
      const returned = pick(paid.filter((it) => it.returned === 'no'));
      if (returned && random() < 0.3) {
        returned.returned = 'returned';
        // The bank returns all of it or a part. If it is all, the event may leave the amount out.
        const cents = random() < 0.4 ? Math.ceil(random() * returned.amount) : returned.amount;
        returned.takenBack = cents;
        const reported = cents < returned.amount || random() < 0.5 ? { amountInCents: cents } : {};
        const event = { kind: 'returned', charge: nameOf(returned), returnCode: pick(codes) };
        report({ ...event, ...reported });
        return;
      }
      const won = pick(paid.filter((it) => it.returned === 'returned'));
      if (!won) return;
      won.returned = 'won';
      won.takenBack = 0;
      report({ kind: 'dispute_won', charge: nameOf(won) });
    },
    /** Removes some of the pending events, and returns them in any order. */
    takeEvents(): ProcessorEvent[] {
      const shuffled = [...events].sort(() => random() - 0.5);
      const taken = isHonest ? shuffled : shuffled.slice(0, Math.ceil(random() * 4));
      events = events.filter((it) => !taken.includes(it));
      if (chance(0.1)) {
        const call = { key: `pay_unknown_${eventIds}`, ref: null, kind: 'charge' };
        report({ kind: 'outcome', call, outcome: { state: 'succeeded', ref: 'x' } });
      }
      return taken;
    },
    /** Queues events that we did not accept, to send them again later. */
    redeliver(unaccepted: readonly ProcessorEvent[]): void {
      events.push(...unaccepted);
    },
    /**
     * Returns the keys of charges that a bank took back in full, whether or not an event said so. The command
     * that records a return supports no partial amounts.
     */
    takenBackInFull: () =>
      charges((it) => it.returned === 'returned' && it.takenBack === it.amount).map(
        ({ key }) => key,
      ),
    /** Decides every open charge. From now on each call is answered with the truth. */
    settle(): void {
      isHonest = true;
      for (const entry of charges((it) => it.state === 'processing')) decideRandomly(entry);
    },
    calls: (): ProcessorCall[] =>
      [...entries.values()].map(({ key, kind, state, amount, of, takenBack }) => ({
        key,
        kind,
        state,
        amount,
        of,
        takenBack,
      })),
  };
}

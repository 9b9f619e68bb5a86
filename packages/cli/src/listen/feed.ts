import { type SvcClient, SvcError, type WebhookEvent } from '@svc/node';
import { connect, type Target } from '../connection.ts';
import { explainCallError, Failure, networkCodeOf, usageFailure } from '../failure.ts';
import { exactItems } from './exact-items.ts';
import { pause } from './pause.ts';

/** An event with the exact text that an endpoint receives. */
export interface FeedEvent {
  readonly event: WebhookEvent;
  readonly text: string;
}

/** Changes of the connection, for people to see. */
export interface FeedNotices {
  lost(reason: string): void;
  regained(seconds: number): void;
  /** The event to continue after no longer exists, as after a reset of the sandbox. */
  restarted(): void;
}

// Four requests a second, of the 200 that a key has by default. The pause adds half of itself to the
// latency on average; docs/cli.md has the measurement.
const pollMs = 250;
const testPollMs = 1_000;
const pageSize = 100;
const shortestBackoffMs = 250;
const longestBackoffMs = 5_000;

/**
 * Yields the partner's events after `after` in commit order, until `signal` aborts. Survives outages
 * of the service: it continues after the last event, so none is missed and none is repeated.
 *
 * @throws Failure when the service refuses the key
 */
export async function* readFeed(
  target: Target,
  options: { after: string | undefined; signal: AbortSignal; notices: FeedNotices },
): AsyncGenerator<FeedEvent> {
  const { signal, notices } = options;
  let { after } = options;
  const outage = createOutage(notices);
  const read = openFeed(target);
  while (!signal.aborted) {
    let page: FeedEvent[];
    try {
      page = await read(after, signal);
      outage.ended();
    } catch (error) {
      if (signal.aborted) return;
      if (isGone(error)) {
        after = await newestMessage(connect(target).client, undefined);
        notices.restarted();
        continue;
      }
      if (!isOutage(error)) throw explainCallError(error, target);
      await pause(outage.began(error), signal);
      continue;
    }
    for (const each of page) {
      after = each.event.id;
      yield each;
      if (signal.aborted) return;
    }
    if (page.length < pageSize) await pause(pollMs, signal);
  }
}

/** Reads one page of the feed. The client parses it; the text of each event is kept with it. */
export function openFeed(
  target: Target,
): (after: string | undefined, signal?: AbortSignal) => Promise<FeedEvent[]> {
  let text = '';
  const { client } = connect(target, {
    maxRetries: 0,
    timeoutMs: 15_000,
    fetch: async (input, init) => {
      const response = await target.fetch(input, init);
      text = await response.text();
      const { status, headers } = response;
      return new Response(status === 204 ? null : text, { status, headers: new Headers(headers) });
    },
  });
  return async (after, signal) => {
    const options = signal ? { signal } : {};
    const query = { limit: pageSize, ...(after === undefined ? {} : { after }) };
    const { items } = await client.request<{ items: WebhookEvent[] }>(
      'GET',
      '/events',
      { query },
      options,
    );
    const texts = exactItems(text);
    return items.map((event, index) => ({ event, text: texts[index] ?? JSON.stringify(event) }));
  };
}

/**
 * Yields test sends, which the feed leaves out. They are listed as messages. Ends at once with a
 * service that cannot list them.
 */
export async function* readTestSends(
  target: Target,
  options: { after: string | undefined; signal: AbortSignal },
): AsyncGenerator<FeedEvent> {
  const { signal } = options;
  const { client } = connect(target, { maxRetries: 0, timeoutMs: 15_000 });
  let last = options.after ?? '';
  while (!signal.aborted) {
    try {
      const query = { test: true, limit: 50 };
      const { items } = await client.request<{ items: { id: string }[] }>(
        'GET',
        '/webhooks/messages',
        { query },
        { signal },
      );
      // Newest first; ids sort by time.
      const fresh = items.filter(({ id }) => id > last).reverse();
      for (const { id } of fresh) {
        const { body } = await client.webhooks.messages.get(id, { signal });
        last = id;
        if (body !== null) yield { event: JSON.parse(body) as WebhookEvent, text: body };
      }
    } catch (error) {
      // The feed reports outages. Any other refusal means that there is no such list.
      if (signal.aborted || !isOutage(error)) return;
    }
    await pause(testPollMs, signal);
  }
}

/** Tracks an outage. `began` reports it once, and returns the milliseconds to wait before the next try. */
function createOutage(notices: FeedNotices) {
  let since: number | undefined;
  let backoff = shortestBackoffMs;
  return {
    began(error: unknown): number {
      if (since === undefined) {
        since = performance.now();
        notices.lost(networkCodeOf(error) || (error as Error).message);
      }
      const wait = backoff;
      backoff = Math.min(backoff * 2, longestBackoffMs);
      return wait;
    },
    ended() {
      if (since !== undefined) notices.regained((performance.now() - since) / 1000);
      since = undefined;
      backoff = shortestBackoffMs;
    },
  };
}

/** True when a later try may succeed: no answer, a restart, an overload, or a proxy in between. */
function isOutage(error: unknown): boolean {
  if (!(error instanceof SvcError)) return false;
  return error.retryable || error.code === 'unexpected_response';
}

function isGone(error: unknown): boolean {
  return error instanceof SvcError && error.code === 'message_not_found';
}

/** Returns the id of the newest message, before a time if one is given; undefined without any. */
async function newestMessage(
  client: SvcClient,
  until: string | undefined,
): Promise<string | undefined> {
  const filter = until === undefined ? { limit: 1 } : { limit: 1, until };
  const { items } = await client.webhooks.messages.list(filter).page();
  return items[0]?.id;
}

/** Returns the id of the message before the newest `count` ones, so that reading after it yields about that many. */
export async function messageBeforeLast(
  client: SvcClient,
  count: number,
): Promise<string | undefined> {
  const items = await client.webhooks.messages.list({ limit: 100 }).toArray({ limit: count + 1 });
  return items[count]?.id;
}

/**
 * Returns the id of the message to start after, or undefined to start with the first one. `since` is an event
 * id, `all`, a duration such as `10m`, or a time; without it, the feed starts after the newest message.
 */
export async function startOf(
  client: SvcClient,
  since: string | undefined,
  now: Date,
): Promise<string | undefined> {
  if (since === undefined) return newestMessage(client, undefined);
  if (since === 'all') return undefined;
  if (since.startsWith('evt_')) {
    await client.webhooks.messages.get(since);
    return since;
  }
  return newestMessage(client, timeOf(since, now).toISOString());
}

const units = { s: 1, m: 60, h: 3_600, d: 86_400 } as const;

/** Reads `10m`, `2h`, a date or an instant. */
function timeOf(text: string, now: Date): Date {
  const [, count, unit] = /^(\d{1,6})([smhd])$/.exec(text) ?? [];
  if (count && unit) return new Date(now.getTime() - Number(count) * units[unit as 's'] * 1000);
  const parsed = instantOf(text);
  if (parsed) return parsed;
  throw usageFailure(
    `"${text}" is neither an event id nor a time.`,
    'Use 10m, 2h, 3d, 2026-02-01, 2026-02-01T18:00:00Z, an id such as evt_…, or all.',
  );
}

/** Reads a date (its first moment in UTC) or an instant. Undefined for a day that does not exist, or other text. */
export function instantOf(text: string): Date | undefined {
  const [, day] =
    /^(\d{4}-\d\d-\d\d)(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d))?$/.exec(text) ?? [];
  if (!day) return undefined;
  const start = new Date(`${day}T00:00:00Z`);
  if (Number.isNaN(start.getTime()) || start.toISOString().slice(0, 10) !== day) return undefined;
  const at = new Date(text.length === day.length ? `${day}T00:00:00Z` : text);
  return Number.isNaN(at.getTime()) ? undefined : at;
}

/** Checks `--events` against the types of the service, and returns a filter. */
export async function eventFilter(
  client: SvcClient,
  patterns: readonly string[],
): Promise<(type: string) => boolean> {
  if (patterns.length === 0) return () => true;
  const known = (await client.webhooks.eventTypes().toArray()).map(({ name }) => name);
  const matchers = patterns.map((pattern) => {
    const prefix = pattern.endsWith('.*') ? pattern.slice(0, -1) : undefined;
    const matches = (type: string) => (prefix ? type.startsWith(prefix) : type === pattern);
    if (!known.some(matches)) {
      throw new Failure(`"${pattern}" matches no event type.`, {
        next: `Types begin with ${groupsOf(known).join(', ')}. "svc trigger --list" lists all.`,
        exitCode: 2,
        code: 'usage',
      });
    }
    return matches;
  });
  return (type) => matchers.some((matches) => matches(type));
}

function groupsOf(types: readonly string[]): string[] {
  return [...new Set(types.map((type) => `${type.split('.')[0]}.*`))];
}

import { setTimeout as wait } from 'node:timers/promises';
import type { SvcClient, WebhookEvent } from '@svc/node';

export type WebhookEventOf<T extends WebhookEvent['type']> = Extract<WebhookEvent, { type: T }>;

export interface WebhookFilter {
  /** Only webhooks about this tenant, by your id. */
  readonly externalId?: string;
  /** How long to wait, in milliseconds. Default: 10,000. */
  readonly timeoutMs?: number;
}

const DEFAULT_TIMEOUT_MS = 10_000;
const POLL_MS = 50;

/**
 * Returns a function that waits for webhooks in the feed of all of the partner's webhooks, which needs no
 * endpoint. It returns each webhook once, oldest first, so it makes no difference whether a test waits
 * before or after the call that causes the webhook.
 */
export function createWebhookReader(client: SvcClient) {
  const unread: WebhookEvent[] = [];
  const typesRead: string[] = [];
  let last: string | undefined;
  let reading: Promise<void> | undefined;

  async function readFeed(): Promise<void> {
    const found = await client.events.list(last === undefined ? {} : { after: last }).toArray();
    last = found.at(-1)?.id ?? last;
    unread.push(...found);
    typesRead.push(...found.map(({ type }) => type));
  }

  /** Callers that wait at the same time share a request, so that each webhook is read once. */
  function readOnce(): Promise<void> {
    reading ??= readFeed().finally(() => {
      reading = undefined;
    });
    return reading;
  }

  return async function nextWebhook<T extends WebhookEvent['type']>(
    type: T,
    { externalId, timeoutMs = DEFAULT_TIMEOUT_MS }: WebhookFilter = {},
  ): Promise<WebhookEventOf<T>> {
    const deadline = performance.now() + timeoutMs;
    for (;;) {
      const index = unread.findIndex(
        (event) =>
          event.type === type && (externalId === undefined || event.external_id === externalId),
      );
      if (index !== -1) return unread.splice(index, 1)[0] as WebhookEventOf<T>;
      if (performance.now() > deadline) {
        const tenant = externalId === undefined ? '' : ` of ${externalId}`;
        const sent = typesRead.length === 0 ? 'none' : typesRead.join(', ');
        throw new Error(
          `No further ${type}${tenant} was sent within ${timeoutMs} ms. Webhooks so far: ${sent}.`,
        );
      }
      await readOnce();
      if (!unread.some((event) => event.type === type)) await wait(POLL_MS);
    }
  };
}

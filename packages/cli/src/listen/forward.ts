import { connect as connectSocket } from 'node:net';
import { networkCodeOf, usageFailure } from '../failure.ts';
import type { FeedEvent } from './feed.ts';
import { pause } from './pause.ts';
import { signedHeaders } from './sign.ts';

export interface Delivered {
  readonly event: FeedEvent['event'];
  readonly attempt: number;
  /** Null without a response. */
  readonly status: number | null;
  readonly ok: boolean;
  readonly durationMs: number;
  /** Why it failed, and what to look at. Null after a success. */
  readonly problem: string | null;
  /** The beginning of the response's body, when it failed. */
  readonly body: string;
  /** Milliseconds until the next attempt; null if there is none. */
  readonly retryInMs: number | null;
}

export interface ForwardOptions {
  readonly url: URL;
  readonly secret: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  /** The waits before attempts 2, 3, … in milliseconds; empty for one attempt. */
  readonly retryDelaysMs: readonly number[];
  /** Milliseconds between two checks whether something listens again. Default: 1,000. */
  readonly probeMs?: number;
  readonly signal: AbortSignal;
  delivered(result: Delivered): void;
  /** Nothing listens at the URL. Called once for each time that the receiver is down. */
  waiting(): void;
}

// Like the service, which sends up to 32 at once to one endpoint; fewer keep the output readable.
const mostAtOnce = 8;
const probeEveryMs = 1_000;
const probeTimeoutMs = 1_000;
const mostBodyShown = 300;

/**
 * Forwards events to a local receiver. Events that fail are tried again after the given waits.
 * While nothing listens at the URL, events wait without using up attempts, because a receiver that is
 * being restarted has not failed.
 */
export function createForwarder(options: ForwardOptions) {
  const { signal, retryDelaysMs } = options;
  const slotWaiters: (() => void)[] = [];
  let running = 0;
  let probing: Promise<void> | undefined;
  let unfinished = 0;

  async function withSlot<T>(work: () => Promise<T>): Promise<T> {
    while (running >= mostAtOnce) await new Promise<void>((resolve) => slotWaiters.push(resolve));
    running += 1;
    try {
      return await work();
    } finally {
      running -= 1;
      slotWaiters.shift()?.();
    }
  }

  /** Waits until something listens at the URL. All events that wait share one probe. */
  function untilUp(): Promise<void> {
    if (!probing) {
      options.waiting();
      probing = probe(options.url, options.probeMs ?? probeEveryMs, signal).finally(() => {
        probing = undefined;
      });
    }
    return probing;
  }

  /** Returns false if the signal aborted first. */
  async function forward(event: FeedEvent): Promise<boolean> {
    for (let attempt = 1; ; attempt++) {
      let result = await withSlot(() => attemptDelivery(event, options));
      while (result.refused && retryDelaysMs.length > 0) {
        await untilUp();
        if (signal.aborted) return false;
        result = await withSlot(() => attemptDelivery(event, options));
      }
      if (signal.aborted && result.status === null) return false;
      const retryInMs = result.ok ? null : (retryDelaysMs[attempt - 1] ?? null);
      options.delivered({ ...result, event: event.event, attempt, retryInMs });
      if (retryInMs === null) return true;
      await pause(retryInMs, signal);
      if (signal.aborted) return false;
    }
  }

  return {
    /** Resolves when the event is delivered or given up, or the signal aborted. */
    async forward(event: FeedEvent): Promise<void> {
      unfinished += 1;
      if (await forward(event)) unfinished -= 1;
    },
    /** Events that were neither delivered nor given up. */
    unfinished: () => unfinished,
  };
}

/** Sends an event once. */
export async function attemptDelivery(
  { event, text }: FeedEvent,
  options: Pick<ForwardOptions, 'url' | 'secret' | 'headers' | 'timeoutMs' | 'signal'>,
): Promise<Omit<Delivered, 'event' | 'attempt' | 'retryInMs'> & { refused: boolean }> {
  const began = performance.now();
  const elapsedMs = () => Math.round(performance.now() - began);
  const timeout = AbortSignal.timeout(options.timeoutMs);
  try {
    const response = await fetch(options.url, {
      method: 'POST',
      body: text,
      headers: {
        'content-type': 'application/json',
        'user-agent': 'svc-webhooks/1 (svc listen)',
        ...options.headers,
        ...signedHeaders(options.secret, { id: event.id, text, at: new Date() }),
      },
      // The service does not follow redirects either.
      redirect: 'manual',
      signal: AbortSignal.any([timeout, options.signal]),
    });
    const { status } = response;
    const ok = status >= 200 && status < 300;
    const body = ok ? await discardBody(response) : await beginningOf(response);
    const problem = ok ? null : describeStatus(status, options.url, response.headers);
    return { status, ok, durationMs: elapsedMs(), problem, body, refused: false };
  } catch (error) {
    const code = networkCodeOf(error);
    const problem = timeout.aborted
      ? `no response within ${options.timeoutMs / 1000} s; answer first, process afterwards`
      : describeNetwork(code, error, options.url);
    const refused = code === 'ECONNREFUSED';
    return { status: null, ok: false, durationMs: elapsedMs(), problem, body: '', refused };
  }
}

async function discardBody(response: Response): Promise<string> {
  await response.body?.cancel();
  return '';
}

async function beginningOf(response: Response): Promise<string> {
  const reader = response.body?.getReader();
  if (!reader) return '';
  const decoder = new TextDecoder();
  let text = '';
  while (text.length < mostBodyShown) {
    const { done, value } = await reader.read();
    if (done) break;
    text += decoder.decode(value, { stream: true });
  }
  await reader.cancel();
  return text.slice(0, mostBodyShown);
}

function describeStatus(status: number, url: URL, headers: Headers): string {
  if (status >= 300 && status < 400) {
    const to = headers.get('location');
    return `a redirect${to ? ` to ${to}` : ''} is a failure in production too; use its target`;
  }
  if (status === 404) return `nothing is at ${url.pathname}; check the path of --forward-to`;
  if (status === 405) return `${url.pathname} does not accept POST`;
  if (status === 400 || status === 401 || status === 403) {
    return 'the receiver refused it; is SVC_WEBHOOK_SECRET the one of "svc listen --print-secret"?';
  }
  return 'the receiver failed';
}

function describeNetwork(code: string, error: unknown, url: URL): string {
  if (code === 'ECONNREFUSED') return `nothing listens at ${url.host}`;
  if (code === 'ECONNRESET' || code === 'UND_ERR_SOCKET')
    return 'the receiver closed the connection';
  if (/CERT|SELF_SIGNED|SSL|TLS/.test(code)) {
    return `no secure connection (${code}); use http:// for your machine, or set NODE_EXTRA_CA_CERTS`;
  }
  return code || (error as Error).message;
}

/** Waits until something accepts connections at the URL's host and port, or the signal aborts. */
async function probe(url: URL, probeMs: number, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await pause(probeMs, signal);
    if (!signal.aborted && (await acceptsConnections(url))) return;
  }
}

function acceptsConnections(url: URL): Promise<boolean> {
  const port = Number(url.port || (url.protocol === 'https:' ? 443 : 80));
  const host = url.hostname.replace(/^\[|\]$/g, '');
  return new Promise((resolve) => {
    const socket = connectSocket({ host, port, timeout: probeTimeoutMs });
    const end = (result: boolean) => () => {
      socket.destroy();
      resolve(result);
    };
    socket.once('connect', end(true)).once('error', end(false)).once('timeout', end(false));
  });
}

/** Reads `--forward-to`: a URL, `localhost:3000/api/svc/webhooks` or `3000/api/svc/webhooks`. */
export function forwardUrl(text: string): URL {
  const address = /^\d+(\/|$)/.test(text) ? `localhost:${text}` : text;
  const absolute = /^[a-z][a-z0-9+.-]*:\/\//i.test(address) ? address : `http://${address}`;
  if (URL.canParse(absolute) && !/\s/.test(text)) {
    const url = new URL(absolute);
    const isWeb = url.protocol === 'http:' || url.protocol === 'https:';
    if (isWeb && !url.username && !url.password) return url;
  }
  throw usageFailure(
    `"${text}" is not an address to forward to.`,
    'Pass a URL such as http://localhost:3000/api/svc/webhooks.',
  );
}

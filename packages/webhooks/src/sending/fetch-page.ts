import { headerLines } from './request-headers.ts';
import { type Outcome, type SendOptions, send } from './send.ts';

const pageDeadlineMs = 10_000;
/** Enough for the head of a page. */
const pageBytes = 256 * 1024;

export const pageUserAgent = 'svc-doctor/1';

/**
 * Requests a page once. The outcome contains any failure.
 * @param headers more headers: name, value, name, value …
 */
export function fetchPage(
  owner: string,
  { origin, host, pathname, search }: URL,
  options: SendOptions,
  headers: readonly string[] = [],
): Promise<Outcome> {
  const lines = [
    `GET ${pathname}${search} HTTP/1.1`,
    `host: ${host}`,
    'connection: close',
    'accept: text/html,*/*;q=0.8',
    'accept-encoding: identity',
    `user-agent: ${pageUserAgent}`,
  ];
  const head = lines.map((line) => `${line}\r\n`).join('') + headerLines(headers);
  const at = options.clock.now();
  const limits = { deadlineMs: pageDeadlineMs, responseBytes: pageBytes };
  return new Promise((done) =>
    send({ owner, origin, head, body: '', at }, { ...options, ...limits }, done),
  );
}

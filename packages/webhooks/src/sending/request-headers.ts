import type { Signed } from '../kernel/signature.ts';

/** What the headers of an attempt cannot be rebuilt from its message and time. */
export interface SentHeaders {
  readonly userAgent: string;
  readonly signature: string;
  /** Names of the credentials' and custom headers; their values are never recorded. */
  readonly hidden: readonly string[];
  /** The signature's headers were also sent under their `svix-` names. */
  readonly svix: boolean;
}

/** The same on every attempt to every endpoint. */
export function plainHeaders(userAgent: string): Record<string, string> {
  return {
    'content-type': 'application/json',
    accept: '*/*',
    'accept-encoding': 'identity',
    'user-agent': userAgent,
  };
}

/** The beginning of a request's head; more header lines follow, and one that is empty. */
export function requestHead(url: URL, headers: Readonly<Record<string, string>>): string {
  const { pathname, search, host } = url;
  const lines = [`POST ${pathname}${search} HTTP/1.1`, `host: ${host}`, 'connection: keep-alive'];
  lines.push(...Object.entries(headers).map(([name, value]) => `${name}: ${value}`));
  return lines.map((line) => `${line}\r\n`).join('');
}

/** Name, value, name, value … as lines of a request's head. */
export function headerLines(headers: readonly string[]): string {
  let lines = '';
  for (let at = 0; at < headers.length; at += 2) lines += `${headers[at]}: ${headers[at + 1]}\r\n`;
  return lines;
}

const redacted = '[redacted]';

/** The headers as they were sent, for people: what is secret is redacted. */
export function shownHeaders(
  sent: SentHeaders,
  signed: Pick<Signed, 'messageId' | 'timestamp'>,
): Record<string, string> {
  const values = [signed.messageId, String(signed.timestamp), sent.signature];
  const families = sent.svix ? ['webhook', 'svix'] : ['webhook'];
  const signature = families.flatMap((family) =>
    ['id', 'timestamp', 'signature'].map((name, index) => [`${family}-${name}`, values[index]]),
  );
  return {
    ...plainHeaders(sent.userAgent),
    ...Object.fromEntries(sent.hidden.map((name) => [name, redacted])),
    ...Object.fromEntries(signature),
  };
}

import type { Signed } from '../kernel/signature.ts';

/** The default user agent. Attempts that have it are stored without it. */
export const defaultUserAgent = 'svc-webhooks/1';

/** The parts of an attempt's headers that do not follow from its message and time. */
export interface SentHeaders {
  readonly userAgent: string;
  readonly signature: string;
  /** Names of the headers with credentials and of custom headers. Their values are never recorded. */
  readonly hidden: readonly string[];
  /** The signature's headers were also sent under their `svix-` names. */
  readonly svix: boolean;
}

/** The headers that every attempt to every endpoint has. */
export function plainHeaders(userAgent: string): Record<string, string> {
  return {
    'content-type': 'application/json',
    accept: '*/*',
    'accept-encoding': 'identity',
    'user-agent': userAgent,
  };
}

/** The first lines of a request's head. More header lines and an empty line have to follow. */
export function requestHead(url: URL, headers: Readonly<Record<string, string>>): string {
  const { pathname, search, host } = url;
  const lines = [`POST ${pathname}${search} HTTP/1.1`, `host: ${host}`, 'connection: keep-alive'];
  lines.push(...Object.entries(headers).map(([name, value]) => `${name}: ${value}`));
  return lines.map((line) => `${line}\r\n`).join('');
}

/** Formats a list of name, value, name, value … as header lines. */
export function headerLines(headers: readonly string[]): string {
  let lines = '';
  for (let at = 0; at < headers.length; at += 2) lines += `${headers[at]}: ${headers[at + 1]}\r\n`;
  return lines;
}

const redacted = '[redacted]';

/** The headers of an attempt for display, with secrets redacted. */
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

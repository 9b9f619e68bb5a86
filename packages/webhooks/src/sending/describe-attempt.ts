/** Why an attempt failed. `status` means an answer other than 2xx. */
export const errorClasses = [
  'dns',
  'connect',
  'tls',
  'timeout',
  'reset',
  'protocol',
  'blocked_address',
  'status',
] as const;

export type ErrorClass = (typeof errorClasses)[number];

export interface Described {
  readonly status: number | null;
  readonly errorClass: ErrorClass | null;
  /** The error message of the network. */
  readonly error?: string | null;
  /** It failed at our own proxy. */
  readonly atProxy?: boolean;
  /** DNS found the name, but the connection was not established. */
  readonly opening?: boolean;
  readonly responseHeaders: Readonly<Record<string, string>>;
  readonly responseBody?: string | null;
}

/**
 * Says in a sentence or two what went wrong and what to change; null for a success. Quotes the response
 * body. Pass `quote: false` for a text that is stored, because it would outlive an expunged body.
 */
export function describeAttempt(
  attempt: Described,
  { quote = true }: { quote?: boolean } = {},
): string | null {
  const { errorClass, error } = attempt;
  if (errorClass === null) return null;
  if (attempt.atProxy) return proxyHint;
  if (errorClass === 'timeout' && attempt.opening) return networkHints.connect;
  if (errorClass === 'timeout' && error?.endsWith('(tls)')) return tlsTimeoutHint;
  // With TLS 1.3 a server refuses our missing client certificate only after the handshake.
  const isTls = errorClass === 'tls' || (errorClass === 'reset' && error?.startsWith('ERR_SSL_'));
  if (isTls) return tlsHint(error ?? '');
  if (errorClass !== 'status') return networkHints[errorClass];
  const status = attempt.status ?? 0;
  const body = attempt.responseBody ?? '';
  const hint = bodyHint(status, body) ?? statusHint(status, attempt.responseHeaders);
  const quoted = quote ? quoteOf(body) : null;
  return quoted === null ? hint : `Your endpoint returned ${status}: "${quoted}". ${hint}`;
}

const proxyHint =
  'The proxy through which this service sends opened no connection to the server: check that the server is up and lets the proxy in; if it does, the proxy is for the operator of this service to mend.';

const networkHints: Record<Exclude<ErrorClass, 'status'>, string> = {
  dns: 'The host name could not be resolved: check its spelling and its DNS records.',
  connect: 'No connection: check that the server is up, and that its firewall lets us in.',
  tls: 'The TLS handshake failed: check that the port speaks TLS, and that the certificate is valid, complete and made for this host.',
  timeout: 'No status line within 15 seconds: answer 2xx at once and do the work afterwards.',
  reset: 'The server closed the connection before it answered.',
  protocol: 'The answer was not valid HTTP/1.1, or its headers were larger than 64 KiB.',
  blocked_address:
    'The host name leads to an address that is not public, so nothing was sent: point it at a public address.',
};

const tlsTimeoutHint =
  'The TLS handshake did not finish within 15 seconds: check that this port speaks TLS, and that nothing between us and the server holds it up.';

/** Hints by the error code of Node or OpenSSL. The first match applies. */
const tlsHints: readonly (readonly [codes: RegExp, hint: string])[] = [
  [/CERT_HAS_EXPIRED/, 'The TLS certificate has expired: renew it, and reload the server.'],
  [
    /CERT_NOT_YET_VALID/,
    'The TLS certificate is not valid yet: install one that is, or check the clock of the machine that issued it.',
  ],
  [/CERT_REVOKED/, 'The TLS certificate was revoked: replace it.'],
  [
    /DEPTH_ZERO_SELF_SIGNED_CERT/,
    'The TLS certificate is self-signed: install one from a public certificate authority.',
  ],
  [
    /SELF_SIGNED_CERT_IN_CHAIN/,
    'The TLS certificate was issued by a private certificate authority: install one from a public authority.',
  ],
  [
    /UNABLE_TO_VERIFY_LEAF_SIGNATURE/,
    'The TLS certificate came without the intermediate certificate that issued it: configure the server to send the full chain.',
  ],
  [
    /UNABLE_TO_GET_ISSUER_CERT/,
    'The TLS certificate leads to no public certificate authority: send the full chain, or install a certificate from a public authority.',
  ],
  [
    /WRONG_VERSION_NUMBER|HTTP_REQUEST|UNKNOWN_PROTOCOL|PACKET_LENGTH_TOO_LONG/,
    'The server did not answer in TLS: check that this port serves HTTPS and not plain HTTP.',
  ],
  [
    /PROTOCOL_VERSION|UNSUPPORTED_PROTOCOL|VERSION_TOO_LOW/,
    'The server supports no TLS version that we do: enable TLS 1.2 or 1.3.',
  ],
  [
    /CERTIFICATE_REQUIRED|BAD_CERTIFICATE/,
    'The server asks for a client certificate, and we send none: take this path out of mutual TLS.',
  ],
  [
    /NO_APPLICATION_PROTOCOL/,
    'The server offers no HTTP/1.1 on this port: enable it in addition to HTTP/2.',
  ],
  [
    /UNRECOGNIZED_NAME/,
    'The server has no TLS certificate for this host name: check the host name, and add a certificate for it.',
  ],
  [
    /HANDSHAKE_FAILURE|NO_SHARED_CIPHER|INSUFFICIENT_SECURITY/,
    'The server refused the TLS handshake: check its cipher suites, and that it asks for no client certificate.',
  ],
  [/KEY_TOO_SMALL|MD_TOO_WEAK/, 'The TLS certificate or key is too weak: replace it.'],
  [
    /ECONNRESET|EPIPE|was closed|disconnected/,
    'The server closed the connection during the TLS handshake: check that this port serves HTTPS, and that it has a certificate for this host name.',
  ],
];

function tlsHint(error: string): string {
  if (error.includes('ALTNAME_INVALID')) return wrongNameHint(error);
  const found = tlsHints.find(([codes]) => codes.test(error));
  return found?.[1] ?? networkHints.tls;
}

/** Node's message holds both the host that we asked for and the names in the certificate. */
function wrongNameHint(error: string): string {
  const [, host, names] =
    /(?:Host|IP): (\S+?)\.? is not (?:in the )?cert's (?:altnames|list|CN): ?(.*)/s.exec(error) ??
    [];
  if (host === undefined) return wrongName;
  const listed = (names ?? '').replace(/\b(DNS|IP Address):/g, '').slice(0, 200);
  return listed === ''
    ? `The TLS certificate is not for ${host}: install one that includes this host name.`
    : `The TLS certificate is for ${listed} and not for ${host}: install one that includes it, or correct the host name in the URL.`;
}

const wrongName =
  'The TLS certificate is for another host name: install one for this host, or correct the URL.';

const statusHints: Readonly<Record<number, string>> = {
  400: 'The server refused the request and did not say why: often the signature did not match, or the body was not read as JSON. See its own log.',
  401: 'The server asks for credentials: set them on the endpoint.',
  403: 'The server refused the request: check its credentials, firewall and bot protection.',
  404: 'Nothing answers at this path: check the URL.',
  405: 'This path does not take POST: check the URL and the route.',
  410: 'The server says that this endpoint is gone: disable or delete it if that is meant.',
  413: 'The server refuses bodies of this size: raise its limit.',
  415: 'The server does not take application/json: let its route accept this content type.',
  429: 'The server asks us to slow down: set a throttle on the endpoint.',
};

function statusHint(status: number, headers: Readonly<Record<string, string>>): string {
  const known = statusHints[status];
  if (known) return known;
  if (status >= 300 && status < 400) {
    const target = headers.location ? ` to ${headers.location.slice(0, 200)}` : '';
    return `The server redirects${target}: redirects are never followed, so set the final URL on the endpoint.`;
  }
  if (status >= 500) return 'The server failed while handling the request: see its own log.';
  return 'Only an answer from 200 to 299 counts as delivered.';
}

/** Typical messages with which receivers refuse a webhook, those of Standard Webhooks libraries first. */
const bodyHints: readonly (readonly [words: RegExp, hint: string])[] = [
  [
    /csrf|authenticity ?token/i,
    'It asks for a CSRF token: exempt this route from CSRF protection.',
  ],
  [
    /timestamp.{0,40}(too (old|new)|expired|tolerance|outside|in the (past|future))|stale timestamp/i,
    'It rejected the timestamp: check the clock of the server, and that it verifies requests when they arrive and not later.',
  ],
  [
    /missing.{0,40}header|header.{0,40}missing/i,
    'It did not find the signature headers: check that it, and any proxy before it, keeps webhook-id, webhook-timestamp and webhook-signature.',
  ],
  [
    /signature|hmac|webhook.?secret/i,
    "It rejected the signature: check that it verifies the raw body with this endpoint's secret.",
  ],
  [
    /json|unexpected token|parse|malformed/i,
    'It could not read the body: check that it takes JSON as UTF-8.',
  ],
];

/** Only for 4xx: the message of a server that failed may contain any of these words by chance. */
function bodyHint(status: number, body: string): string | null {
  if (status < 400 || status >= 500) return null;
  const words = textOf(body);
  return bodyHints.find(([known]) => known.test(words))?.[1] ?? null;
}

const mostQuoted = 160;

/** The body as one short line; null if it is empty, an HTML page, or not text. */
function quoteOf(body: string): string | null {
  const text = textOf(body).replaceAll('"', "'");
  if (text === '' || text.startsWith('<') || text.includes('\ufffd')) return null;
  const line = text.length > mostQuoted ? `${text.slice(0, mostQuoted).trimEnd()}…` : text;
  // The cut may have split a surrogate pair.
  return line.toWellFormed().replace(/[.\s]+$/, '');
}

/** The message of a JSON body, or else the whole body, in one line. */
function textOf(body: string): string {
  return oneLine(messageIn(body) ?? body.slice(0, 2_000));
}

function messageIn(body: string): string | null {
  if (!body.startsWith('{')) return null;
  try {
    const { message, error, detail } = JSON.parse(body);
    const found = [message, error?.message, error, detail].find(
      (value) => typeof value === 'string' && value !== '',
    );
    return found ?? null;
  } catch {
    // Truncated, or not JSON: quote it as it is.
    return null;
  }
}

function oneLine(text: string): string {
  return text.replace(/[\s\p{Cc}\p{Cf}]+/gu, ' ').trim();
}

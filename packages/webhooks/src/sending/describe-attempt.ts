/** Why an attempt failed; `status` is an answer other than 2xx. */
export type ErrorClass =
  | 'dns'
  | 'connect'
  | 'tls'
  | 'timeout'
  | 'reset'
  | 'protocol'
  | 'blocked_address'
  | 'status';

export interface Described {
  readonly status: number | null;
  readonly errorClass: ErrorClass | null;
  /** It failed at our own proxy. */
  readonly atProxy?: boolean;
  /** The name was found, and no connection came of it. */
  readonly opening?: boolean;
  readonly responseHeaders: Readonly<Record<string, string>>;
}

/** One plain sentence on what went wrong and what to change, or null when nothing did. */
export function describeAttempt(attempt: Described): string | null {
  if (attempt.errorClass === null) return null;
  if (attempt.atProxy) return proxyHint;
  if (attempt.errorClass === 'timeout' && attempt.opening) return networkHints.connect;
  if (attempt.errorClass !== 'status') return networkHints[attempt.errorClass];
  return statusHint(attempt.status ?? 0, attempt.responseHeaders);
}

const proxyHint =
  'The proxy through which this service sends opened no connection to the server: check that the server is up and lets the proxy in; if it does, the proxy is for the operator of this service to mend.';

const networkHints: Record<Exclude<ErrorClass, 'status'>, string> = {
  dns: 'The host name could not be resolved: check its spelling and its DNS records.',
  connect: 'No connection: check that the server is up, and that its firewall lets us in.',
  tls: 'The TLS handshake failed: check that the port speaks TLS, and that the certificate is valid, complete and made for this host.',
  timeout: 'No status line within 15 seconds: answer 2xx at once and do the work afterwards.',
  reset: 'The server closed the connection before it answered.',
  protocol: 'The answer was not valid HTTP/1.1, or its headers were larger than 16 KiB.',
  blocked_address:
    'The host name leads to an address that is not public, so nothing was sent: point it at a public address.',
};

const statusHints: Readonly<Record<number, string>> = {
  400: 'The server could not read the request: check that it takes a JSON body.',
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

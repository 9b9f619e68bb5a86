import type { Attempt } from '../api/messages.ts';

/** What an attempt's result means, in a sentence; the service's own hint says what to change. */
export function explainAttempt(attempt: Attempt): string {
  if (attempt.succeeded) return `Your server took the message: any status from 200 to 299 counts.`;
  const kind = attempt.error_class ?? 'status';
  if (kind === 'timeout' && stageOf(attempt) !== 'request')
    return 'No connection to your server stood within 15 seconds.';
  return kind === 'status' ? explainStatus(attempt.status ?? 0) : failures[kind];
}

export type Stage = 'dns' | 'connect' | 'tls' | 'request';

export type Timed = Pick<Attempt, 'timing_in_ms' | 'error_class' | 'url'>;

/** How far it came; a step that did not end has no time. */
export function stageOf({ error_class, timing_in_ms: { dns, connect, tls }, url }: Timed): Stage {
  if (error_class === 'dns' || error_class === 'blocked_address') return 'dns';
  if (error_class === 'connect' || error_class === 'tls') return error_class;
  if (error_class !== 'timeout' || dns === null) return 'request';
  if (connect === null) return 'connect';
  return tls === null && url.startsWith('https:') ? 'tls' : 'request';
}

/** The result in a few words, for a row: "200", "500", "Timed out". */
export function nameResult(attempt: Pick<Attempt, 'status' | 'error_class'>): string {
  if (attempt.status !== null) return `${attempt.status}`;
  const kind = attempt.error_class ?? 'status';
  return kind === 'status' ? 'No status' : names[kind];
}

type Failure = Exclude<NonNullable<Attempt['error_class']>, 'status'>;

const names: Record<Failure, string> = {
  dns: 'Name not found',
  connect: 'No connection',
  tls: 'TLS failed',
  timeout: 'Timed out',
  reset: 'Connection closed',
  protocol: 'Not HTTP',
  blocked_address: 'Address refused',
};

const failures: Record<Failure, string> = {
  dns: 'The host name has no address, so there was nobody to send to.',
  connect: 'The address is known, but nothing accepted a connection there.',
  tls: 'The connection stood, but no TLS that can be trusted came about on it.',
  timeout: 'Your server took the request and gave no status within 15 seconds.',
  reset: 'Your server, or something before it, hung up without a status.',
  protocol: 'What came back could not be read as HTTP.',
  blocked_address: 'The host leads to a private or reserved address; such are never dialed.',
};

function explainStatus(status: number): string {
  if (status >= 300 && status < 400)
    return 'Your server redirected. Redirects are never followed, so nobody received the message.';
  if (status === 401 || status === 403)
    return 'Your server answered, but did not let the request in.';
  if (status === 404 || status === 405)
    return 'Your server answered, but nothing there takes this request.';
  if (status === 429) return 'Your server is fine, but wants fewer requests at a time.';
  if (status >= 500) return 'The request arrived, and your server broke while handling it.';
  if (status >= 400) return 'The request arrived, and your server refused it.';
  return 'Only a status from 200 to 299 counts as delivered.';
}

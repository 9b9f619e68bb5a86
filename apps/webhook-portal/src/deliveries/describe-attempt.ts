import type { Attempt } from '../api/messages.ts';

/** What an attempt's result means, in a sentence; the service's own hint says what to change. */
export function explainAttempt(attempt: Attempt): string {
  if (attempt.succeeded) return `Your server took the message: any status from 200 to 299 counts.`;
  const kind = attempt.error_class ?? 'status';
  if (kind === 'timeout') return timeouts[stageOf(attempt)];
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

const timeouts: Record<Stage, string> = {
  dns: 'The host name was not resolved within 15 seconds.',
  connect: 'Your server did not accept a connection within 15 seconds.',
  tls: 'Your server accepted the connection, but the TLS handshake did not finish within 15 seconds.',
  request: 'Your server received the request and sent no status within 15 seconds.',
};

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

const failures: Record<Exclude<Failure, 'timeout'>, string> = {
  dns: 'The host name has no address, so nothing was sent.',
  connect: 'The address is known, but nothing accepted a connection there.',
  tls: 'Your server accepted the connection, but the TLS handshake failed, so nothing was sent.',
  reset: 'Your server, or a proxy before it, closed the connection without sending a status.',
  protocol: 'The response was not valid HTTP.',
  blocked_address: 'The host resolves to a private or reserved address, which is never dialed.',
};

function explainStatus(status: number): string {
  if (status >= 300 && status < 400)
    return 'Your server redirected. Redirects are never followed, so nobody received the message.';
  if (status === 401 || status === 403)
    return 'Your server answered, but did not accept the request.';
  if (status === 404 || status === 405)
    return 'Your server answered, but nothing at this path accepts the request.';
  if (status === 429) return 'Your server asked for fewer requests.';
  if (status >= 500) return 'The request arrived, and your server failed while handling it.';
  if (status >= 400) return 'The request arrived, and your server refused it.';
  return 'Only a status from 200 to 299 counts as delivered.';
}

/** Where the time of an attempt went, in milliseconds, in order; steps that did not happen are left out. */
export function splitTiming(attempt: Timed): TimingPart[] {
  const timing = attempt.timing_in_ms;
  const opening = (timing.dns ?? 0) + (timing.connect ?? 0) + (timing.tls ?? 0);
  // `first_byte` counts from the start of the attempt, so it holds the opening as well.
  const answered = timing.first_byte ?? timing.total;
  // What no step accounts for passed in the one that the attempt did not get beyond.
  const rest = Math.max(0, answered - opening);
  const last = stageOf(attempt);
  const restOf = (stage: Stage) => (stage === last ? rest : 0);
  const parts: TimingPart[] = [
    { name: 'DNS', className: 'dns', ms: (timing.dns ?? 0) + restOf('dns') },
    { name: 'Connect', className: 'connect', ms: (timing.connect ?? 0) + restOf('connect') },
    { name: 'TLS', className: 'tls', ms: (timing.tls ?? 0) + restOf('tls') },
    { name: 'Waiting for your server', className: 'wait', ms: restOf('request') },
    { name: 'Reading the answer', className: 'read', ms: Math.max(0, timing.total - answered) },
  ];
  return parts.filter(({ ms }) => ms > 0);
}

export interface TimingPart {
  name: string;
  className: string;
  ms: number;
}

/** "0.8 ms", "213 ms", "15.0 s". */
export function describeMs(ms: number): string {
  if (ms < 9.95) return `${ms.toFixed(1)} ms`;
  return Math.round(ms) < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`;
}

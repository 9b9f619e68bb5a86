import type { Attempt } from '../api/messages.ts';

/** Explains an attempt's result in a sentence. The service's hint says what to change. */
export function explainAttempt(attempt: Attempt): string {
  if (attempt.succeeded)
    return 'Your server accepted the message. Any status from 200 to 299 counts as delivered.';
  const kind = attempt.error_class ?? 'status';
  if (kind === 'timeout') return timeoutExplanations[stageOf(attempt)];
  return kind === 'status' ? explainStatus(attempt.status ?? 0) : failureExplanations[kind];
}

type Stage = 'dns' | 'connect' | 'tls' | 'request';

export type Timed = Pick<Attempt, 'timing_in_ms' | 'error_class' | 'url'>;

/** Returns the last stage an attempt reached. Stages that did not complete have no timing. */
function stageOf({ error_class, timing_in_ms: { dns, connect, tls }, url }: Timed): Stage {
  if (error_class === 'dns' || error_class === 'blocked_address') return 'dns';
  if (error_class === 'connect' || error_class === 'tls') return error_class;
  if (error_class !== 'timeout' || dns === null) return 'request';
  if (connect === null) return 'connect';
  return tls === null && url.startsWith('https:') ? 'tls' : 'request';
}

/** Names an attempt's result in a few words: "200", "500", "Timed out". */
export function nameResult(attempt: Pick<Attempt, 'status' | 'error_class'>): string {
  if (attempt.status !== null) return `${attempt.status}`;
  const kind = attempt.error_class ?? 'status';
  return kind === 'status' ? 'No status' : resultNames[kind];
}

const timeoutExplanations: Record<Stage, string> = {
  dns: 'The host name was not resolved within 15 seconds.',
  connect: 'Your server did not accept a connection within 15 seconds.',
  tls: 'Your server accepted the connection, but the TLS handshake did not finish within 15 seconds.',
  request: 'Your server received the request but sent no status within 15 seconds.',
};

type Failure = Exclude<NonNullable<Attempt['error_class']>, 'status'>;

const resultNames: Record<Failure, string> = {
  dns: 'Name not found',
  connect: 'No connection',
  tls: 'TLS failed',
  timeout: 'Timed out',
  reset: 'Connection closed',
  protocol: 'Not HTTP',
  blocked_address: 'Address blocked',
};

const failureExplanations: Record<Exclude<Failure, 'timeout'>, string> = {
  dns: 'The host name does not resolve to an address, so nothing was sent.',
  connect: 'The host name resolved, but nothing accepted a connection at that address.',
  tls: 'Your server accepted the connection, but the TLS handshake failed, so nothing was sent.',
  reset: 'Your server, or a proxy in front of it, closed the connection without sending a status.',
  protocol: 'The response was not valid HTTP.',
  blocked_address: 'The host resolves to a private or reserved address. We never connect to those.',
};

function explainStatus(status: number): string {
  if (status >= 300 && status < 400)
    return 'Your server redirected. Redirects are never followed, so the message was not delivered.';
  if (status === 401 || status === 403) return 'Your server responded but rejected the request.';
  if (status === 404 || status === 405)
    return 'Your server responded, but nothing at this path accepts the request.';
  if (status === 429) return 'Your server is rate limiting: it asked for fewer requests.';
  if (status >= 500) return 'The request arrived, and your server failed while handling it.';
  if (status >= 400) return 'The request arrived, and your server rejected it.';
  return 'Only a status from 200 to 299 counts as delivered.';
}

/** Splits an attempt's duration into its steps, in milliseconds. Omits steps that did not happen. */
export function splitTiming(attempt: Timed): TimingPart[] {
  const timing = attempt.timing_in_ms;
  const connectionMs = (timing.dns ?? 0) + (timing.connect ?? 0) + (timing.tls ?? 0);
  // `first_byte` is measured from the start of the attempt, so it includes opening the connection.
  const firstByteMs = timing.first_byte ?? timing.total;
  // Time that no completed step accounts for belongs to the step the attempt did not complete.
  const unaccountedMs = Math.max(0, firstByteMs - connectionMs);
  const lastStage = stageOf(attempt);
  const restOf = (stage: Stage) => (stage === lastStage ? unaccountedMs : 0);
  const parts: TimingPart[] = [
    { name: 'DNS', className: 'dns', ms: (timing.dns ?? 0) + restOf('dns') },
    { name: 'Connect', className: 'connect', ms: (timing.connect ?? 0) + restOf('connect') },
    { name: 'TLS', className: 'tls', ms: (timing.tls ?? 0) + restOf('tls') },
    { name: 'Waiting for your server', className: 'wait', ms: restOf('request') },
    {
      name: 'Reading the response',
      className: 'read',
      ms: Math.max(0, timing.total - firstByteMs),
    },
  ];
  return parts.filter(({ ms }) => ms > 0);
}

interface TimingPart {
  name: string;
  className: string;
  ms: number;
}

/** Formats a duration: "0.8 ms", "213 ms", "15.0 s". */
export function describeMs(ms: number): string {
  if (ms < 9.95) return `${ms.toFixed(1)} ms`;
  return Math.round(ms) < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`;
}

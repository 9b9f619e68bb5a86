import type { Clock } from '@svc/runtime';
import type { ConnectionSource } from '../sending/connections.ts';
import { requestHead } from '../sending/request-headers.ts';
import { type Outcome, send } from '../sending/send.ts';

interface SendOnceOptions {
  readonly connections: ConnectionSource;
  readonly clock: Clock;
  readonly owner?: string;
}

/** Makes one POST of `{}` with the engine's deadline and limit of the response. */
export function sendOnce(text: string, options: SendOnceOptions): Promise<Outcome> {
  const { connections, clock, owner = 'partner_a' } = options;
  const url = new URL(text);
  const outgoing = {
    owner,
    origin: url.origin,
    head: requestHead(url, { 'accept-encoding': 'identity' }),
    body: '{}',
    at: clock.now(),
  };
  const sending = { connections, clock, deadlineMs: 15_000, responseBytes: 16_384 };
  return new Promise((resolve) => send(outgoing, sending, resolve));
}

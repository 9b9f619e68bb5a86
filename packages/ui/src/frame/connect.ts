import type { HelloMessage, PortMessage } from '@svc/contract/frame';
import { allowsOrigin } from './page-settings.ts';

export interface Channel<Sent> {
  /** Messages sent before the handshake is complete are buffered and sent in order. */
  send(message: Sent): void;
}

/** A message whose fields, but for its type, are not checked yet. */
export type FrameMessage = Record<string, unknown> & { type: string };

/**
 * The frame's half of the handshake. Posts a hello to the parent, whoever it is: the message contains
 * only the nonce. Then accepts the first port that the parent sends back from an allowed origin with
 * that nonce. All other messages are ignored.
 */
export function connect<Received extends { type: string }, Sent>(options: {
  self: Window;
  allowedOrigins: readonly string[];
  nonce: string;
  /** Checks the fields. Unknown types are ignored, so that a newer SDK can send more of them. */
  isKnown: (message: FrameMessage) => boolean;
  onMessage: (message: Received) => void;
}): Channel<Sent> {
  const { self, allowedOrigins, nonce, isKnown, onMessage } = options;
  const buffered: Sent[] = [];
  let port: MessagePort | null = null;

  function onWindowMessage(event: MessageEvent<unknown>): void {
    const [offered] = event.ports;
    if (event.source !== self.parent || !allowsOrigin(allowedOrigins, event.origin)) return;
    if (!isPortMessage(event.data, nonce) || offered === undefined) return;
    self.removeEventListener('message', onWindowMessage);
    port = offered;
    port.onmessage = ({ data }: MessageEvent<unknown>) => {
      if (isMessage(data) && isKnown(data)) onMessage(data as unknown as Received);
    };
    for (const message of buffered.splice(0)) port.postMessage(message);
  }

  self.addEventListener('message', onWindowMessage);
  self.parent.postMessage({ svc: 1, type: 'hello', nonce } satisfies HelloMessage, '*');

  return {
    send(message) {
      if (port === null) buffered.push(message);
      else port.postMessage(message);
    },
  };
}

function isPortMessage(data: unknown, nonce: string): data is PortMessage {
  return isMessage(data) && data.type === 'port' && data.nonce === nonce;
}

function isMessage(data: unknown): data is FrameMessage {
  return (
    typeof data === 'object' &&
    data !== null &&
    'svc' in data &&
    data.svc === 1 &&
    'type' in data &&
    typeof data.type === 'string'
  );
}

import type { FromFrame, HelloMessage, PortMessage, ToFrame } from '@svc/contract/frame';
import { allowsOrigin } from './page-settings.ts';

export interface Channel {
  /** Messages sent before the handshake is complete are buffered and sent in order. */
  send(message: FromFrame): void;
}

/**
 * The frame's half of the handshake. Posts a hello to the parent, whoever it is: the message contains
 * only the nonce. Then accepts the first port that the parent sends back from an allowed origin with
 * that nonce. All other messages are ignored.
 */
export function connect(options: {
  self: Window;
  allowedOrigins: readonly string[];
  nonce: string;
  onMessage: (message: ToFrame) => void;
}): Channel {
  const { self, allowedOrigins, nonce, onMessage } = options;
  const buffered: FromFrame[] = [];
  let port: MessagePort | null = null;

  function onWindowMessage(event: MessageEvent<unknown>): void {
    const [offered] = event.ports;
    if (event.source !== self.parent || !allowsOrigin(allowedOrigins, event.origin)) return;
    if (!isPortMessage(event.data, nonce) || offered === undefined) return;
    self.removeEventListener('message', onWindowMessage);
    port = offered;
    port.onmessage = ({ data }: MessageEvent<unknown>) => {
      if (isToFrame(data)) onMessage(data);
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

/** Unknown message types are ignored, so that a newer SDK can send more of them. */
function isToFrame(data: unknown): data is ToFrame {
  if (!isMessage(data)) return false;
  if (data.type === 'token') return typeof data.token === 'string';
  const isText = (name: string) => typeof data[name] === 'string';
  if (data.type === 'back') return true;
  if (data.type === 'appearance') return isText('theme');
  return (
    data.type === 'init' &&
    ['pms', 'externalId', 'signature'].every(isText) &&
    (data.token === null || isText('token'))
  );
}

function isMessage(data: unknown): data is Record<string, unknown> & { type: string } {
  return (
    typeof data === 'object' &&
    data !== null &&
    'svc' in data &&
    data.svc === 1 &&
    'type' in data &&
    typeof data.type === 'string'
  );
}

import type { FromFrame, PortMessage, ToFrame } from '@svc/contract/frame';
import type { Running } from '../running.ts';

/**
 * Shakes hands with the frame. Only a `hello` from this very frame's window, at the exact origin,
 * with a nonce not seen before is answered; the answer carries a private port to that origin.
 * A second hello with a new nonce is the frame reloading: it gets a new port, the old one dies.
 */
export function listen(
  at: Running,
  connected: () => void,
  received: (message: FromFrame) => void,
): void {
  const seen: unknown[] = [];
  at.listener = ({ data, origin, source }) => {
    if (!source || source !== at.frame.contentWindow || origin !== at.origin) return;
    if (data?.svc !== 1 || data.type !== 'hello') return;
    const { nonce } = data;
    if (!(nonce?.length > 15) || seen.includes(nonce)) return;
    seen.push(nonce);
    at.port?.close();
    const { port1, port2 } = new MessageChannel();
    at.port = port1;
    port1.onmessage = ({ data }) => {
      if (data?.svc === 1) received(data);
    };
    (source as Window).postMessage({ svc: 1, type: 'port', nonce } satisfies PortMessage, origin, [
      port2,
    ]);
    connected();
  };
  addEventListener('message', at.listener);
}

/** Sends over the port; before the handshake nothing is sent, since `init` tells all. */
export function send(at: Running, message: ToFrame): void {
  at.port?.postMessage(message);
}

export function hangUp(at: Running): void {
  removeEventListener('message', at.listener);
  at.port?.close();
}

import type { PortMessage } from '@svc/contract/frame';

export interface FrameChannel<Sent> {
  /** Sends over the private port. Before the handshake, messages are dropped, because `init` carries everything. */
  send(message: Sent): void;
  close(): void;
}

interface Handlers<Received> {
  /** Called after each handshake: the first one, and another one whenever the frame has reloaded. */
  onConnect(): void;
  onMessage(message: Received): void;
}

/**
 * Waits for the frame's `hello` and answers with a private port. Only a hello from this frame's
 * window, at the service's exact origin, with a nonce not seen before is answered. A hello with
 * another nonce means that the frame has reloaded: it gets a new port and the old one is closed.
 */
export function openChannel<Sent, Received>(
  iframe: HTMLIFrameElement,
  serviceOrigin: string,
  { onConnect, onMessage }: Handlers<Received>,
): FrameChannel<Sent> {
  const seenNonces = new Set<unknown>();
  let port: MessagePort | undefined;

  const listener = ({ data, origin, source }: MessageEvent) => {
    if (!source || source !== iframe.contentWindow || origin !== serviceOrigin) return;
    if (data?.svc !== 1 || data.type !== 'hello') return;
    const { nonce } = data;
    if (typeof nonce !== 'string' || nonce.length < 16 || seenNonces.has(nonce)) return;
    seenNonces.add(nonce);
    port?.close();
    const { port1, port2 } = new MessageChannel();
    port = port1;
    port1.onmessage = ({ data }) => {
      if (data?.svc === 1) onMessage(data);
    };
    const answer: PortMessage = { svc: 1, type: 'port', nonce };
    (source as Window).postMessage(answer, origin, [port2]);
    onConnect();
  };
  addEventListener('message', listener);

  return {
    send: (message) => port?.postMessage(message),
    close() {
      removeEventListener('message', listener);
      port?.close();
    },
  };
}

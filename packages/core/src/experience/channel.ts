import type {
  FromFrame,
  HelloMessage,
  InitMessage,
  PortMessage,
  ToFrame,
} from '@svc/contract/frame';

export interface Channel {
  /** Sends over the port; before the handshake nothing is sent, since `init` tells all. */
  send(message: ToFrame): void;
  close(): void;
}

/**
 * Shakes hands with the frame. Only a `hello` from this very frame's window, at the exact origin,
 * with a nonce not seen before is answered; the answer carries a private port to that origin.
 * A second hello with a new nonce is the frame reloading: it gets a new port, the old one dies.
 * @param connected what it returns is the port's first message
 */
export function openChannel(
  frame: HTMLIFrameElement,
  origin: string,
  connected: () => InitMessage,
  received: (message: FromFrame) => void,
): Channel {
  const seen: unknown[] = [];
  let port: MessagePort | undefined;

  const listen = ({ data, origin: from, source }: MessageEvent<HelloMessage | null>) => {
    const window = frame.contentWindow;
    if (!window || source !== window || from !== origin) return;
    if (data?.svc !== 1 || data.type !== 'hello') return;
    const { nonce } = data;
    if (!(nonce?.length > 15) || seen.includes(nonce)) return;
    seen.push(nonce);
    port?.close();
    const { port1, port2 } = new MessageChannel();
    port = port1;
    port.onmessage = ({ data: message }: MessageEvent<FromFrame | null>) => {
      if (message?.svc === 1) received(message);
    };
    window.postMessage({ svc: 1, type: 'port', nonce } satisfies PortMessage, origin, [port2]);
    port.postMessage(connected());
  };
  addEventListener('message', listen);

  return {
    send: (message) => port?.postMessage(message),
    close() {
      removeEventListener('message', listen);
      port?.close();
    },
  };
}

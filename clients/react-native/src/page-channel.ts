import type { FromPage, ToPage } from '@svc/core/webview';

/** A message of a WebView, as `react-native-webview` reports it. */
export interface PageMessage {
  /** Of the page in the main frame. */
  readonly url: string;
  readonly data: string;
}

/** The parts of a WebView that the channel uses. */
export interface Injectable {
  injectJavaScript(script: string): void;
}

interface Handlers {
  /** The page has loaded, or loaded again. Returns what it starts with. */
  onHello(): Omit<Extract<ToPage, { type: 'start' }>, 'type' | 'secret'>;
  onMessage(message: FromPage): void;
}

/**
 * The app's side of one WebView. It believes a message only if the service's page is in the main frame
 * and the message has the secret, which only that page gets. Its own messages are injected with a check
 * of the page's origin, so another page in the WebView never sees the token and the signature.
 */
export class PageChannel {
  readonly serviceOrigin: string;
  /** The WebView, while it is mounted. */
  webView: Injectable | null = null;
  #secret: string = randomSecret();
  #handlers: Handlers;
  #hasStarted = false;

  constructor(serviceOrigin: string, handlers: Handlers) {
    this.serviceOrigin = serviceOrigin;
    this.#handlers = handlers;
  }

  /** Dropped before the page has said hello: it starts with everything. */
  send(message: ToPage): void {
    if (this.#hasStarted) this.#inject(message);
  }

  /** The page says hello again before it gets anything. */
  disconnect(): void {
    this.#hasStarted = false;
  }

  get hasStarted(): boolean {
    return this.#hasStarted;
  }

  /** Returns whether the page said hello. */
  receive({ url, data }: PageMessage): boolean {
    if (originOf(url) !== this.serviceOrigin) return false;
    const message = parseMessage(data);
    if (message?.svc !== 1) return false;
    if (message.type === 'hello') {
      this.#hasStarted = true;
      this.#inject({ ...this.#handlers.onHello(), type: 'start', secret: this.#secret });
      return true;
    }
    if (message.secret === this.#secret && this.#hasStarted) {
      this.#handlers.onMessage(message as unknown as FromPage);
    }
    return false;
  }

  #inject(message: ToPage): void {
    // A page cannot replace `location`, and JSON is a part of JavaScript. Some WebViews warn of a script
    // without a value.
    const origin = JSON.stringify(this.serviceOrigin);
    this.webView?.injectJavaScript(
      `if (location.origin === ${origin} && window.svcReceive) window.svcReceive(${JSON.stringify(message)}); true;`,
    );
  }
}

function parseMessage(data: string): Record<string, unknown> | null {
  try {
    const message: unknown = JSON.parse(data);
    return typeof message === 'object' ? (message as Record<string, unknown> | null) : null;
  } catch {
    return null;
  }
}

/**
 * The origin of an http or https URL, or null. React Native's own `URL` is incomplete in the versions
 * that are supported here. An address with a user name has none.
 */
export function originOf(url: unknown): string | null {
  const match = /^(https?:\/\/(?:[a-z\d.-]+|\[[\da-f:.]+\])(?::\d{1,5})?)(?=[/?#]|$)/i.exec(
    String(url),
  );
  return match?.[1]?.toLowerCase().replace(/^(http:.*):80$|^(https:.*):443$/, '$1$2') ?? null;
}

function randomSecret(): string {
  // Hermes has no random numbers for cryptography unless the app adds them. A frame of another site
  // sees no number of this sequence, and the service's page has no such frame.
  const crypto = globalThis.crypto as Partial<Crypto> | undefined;
  const words = Uint32Array.from({ length: 4 }, () => Math.random() * 2 ** 32);
  crypto?.getRandomValues?.(words);
  return Array.from(words, (word) => word.toString(36)).join('-');
}

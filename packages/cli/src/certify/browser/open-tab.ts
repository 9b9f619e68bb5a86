import { type BrowserConnection, ignoreGone, ignoreProtocolError } from './connection.ts';
import type { Box, Probe } from './probe.ts';
import { type Interceptor, type Place, type SeenRequest, watchTab } from './watch-tab.ts';

export interface TabOptions {
  readonly size: { readonly width: number; readonly height: number; readonly isPhone: boolean };
  /** The service, whose requests `intercept` gets and whose frame is the experience. */
  readonly serviceOrigin: string;
  /** The languages of the browser, such as `es-US`. */
  readonly language: string;
  /** `name=value`, for the page's host. */
  readonly cookies: readonly { readonly name: string; readonly value: string }[];
}

export interface Tab {
  readonly requests: readonly SeenRequest[];
  /** Exceptions that no script has caught, as their first line. */
  readonly exceptions: readonly string[];
  /** Opens the page. Resolves when it has loaded, or after `timeoutMs`. */
  goto(url: string, timeoutMs: number): Promise<Loaded>;
  intercept(interceptor: Interceptor | null): void;
  /** Runs one of the probe's functions in a document; null if there is no such frame, or it is navigating. */
  look<Name extends keyof Probe>(
    place: Place,
    name: Name,
    ...args: Parameters<Probe[Name]>
  ): Promise<ReturnType<Probe[Name]> | null>;
  /** Clicks the middle of an element. False if it is not there. */
  click(place: Place, selector: string, clickCount?: number): Promise<boolean>;
  hover(selector: string): Promise<boolean>;
  press(key: Key): Promise<void>;
  type(text: string): Promise<void>;
  /** Repeats `look` until `isThere` holds. Returns the last result, or null after `timeoutMs`. */
  until<T>(
    look: () => Promise<T | null>,
    isThere: (seen: T) => boolean,
    timeoutMs: number,
  ): Promise<T | null>;
  close(): Promise<void>;
}

export interface Loaded {
  /** The status of the document; null if there was no answer. */
  readonly status: number | null;
  readonly url: string;
  readonly error: string | null;
  /** False if the page is still loading. */
  readonly isComplete: boolean;
}

const keys = {
  Tab: { code: 'Tab', windowsVirtualKeyCode: 9 },
  Enter: { code: 'Enter', windowsVirtualKeyCode: 13, text: '\r' },
  Space: { code: 'Space', key: ' ', windowsVirtualKeyCode: 32, text: ' ' },
  Escape: { code: 'Escape', windowsVirtualKeyCode: 27 },
} as const;
export type Key = keyof typeof keys;

const lookIntervalMs = 50;

export async function openTab(connection: BrowserConnection, options: TabOptions): Promise<Tab> {
  const { size, serviceOrigin, language, cookies } = options;
  const { browserContextId } = await connection.send('Target.createBrowserContext');
  const { targetId } = await connection.send('Target.createTarget', {
    url: 'about:blank',
    browserContextId,
  });
  const { sessionId: main } = await connection.send('Target.attachToTarget', {
    targetId,
    flatten: true,
  });
  const watched = await watchTab(connection, { main, serviceOrigin });
  const send = (method: string, params?: object) => connection.send(method, params, main);
  await emulate(connection, main, { size, language });

  const look: Tab['look'] = async (place, name, ...args) => {
    const context = watched.contextAt(place);
    if (!context) return null;
    try {
      const { result, exceptionDetails } = await connection.send(
        'Runtime.evaluate',
        {
          expression: `globalThis.svcProbe?.${name}(...${JSON.stringify(args)}) ?? null`,
          contextId: context.contextId,
          returnByValue: true,
        },
        context.sessionId,
      );
      if (exceptionDetails) throw new Error(`The probe's ${name} failed: ${exceptionDetails.text}`);
      return result.value ?? null;
    } catch (error) {
      // The document was replaced between the two steps.
      ignoreProtocolError(error);
      return null;
    }
  };

  async function locate(place: Place, selector: string): Promise<{ x: number; y: number } | null> {
    let box: Box | null = await look(place, 'locate', selector);
    if (box === null) return null;
    const at = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
    if (place === 'page') return at;
    box = (await look('page', 'dialog'))?.frame ?? null;
    return box === null ? null : { x: at.x + box.x, y: at.y + box.y };
  }

  const mouse = (type: string, at: { x: number; y: number }, more: object = {}) =>
    send('Input.dispatchMouseEvent', { type, ...at, ...more });

  async function pressMouse(at: { x: number; y: number }, clickCount: number): Promise<void> {
    const button = { button: 'left', clickCount };
    await mouse('mousePressed', at, { ...button, buttons: 1 });
    await mouse('mouseReleased', at, button);
  }

  return {
    get requests() {
      return watched.requests();
    },
    exceptions: watched.exceptions,
    async goto(url, timeoutMs) {
      if (cookies.length > 0) {
        await send('Network.setCookies', { cookies: cookies.map((it) => ({ ...it, url })) });
      }
      let timer: NodeJS.Timeout | undefined;
      let stop = () => {};
      const loaded = new Promise<boolean>((resolve) => {
        stop = connection.listen(({ method, sessionId }) => {
          if (method === 'Page.loadEventFired' && sessionId === main) resolve(true);
        });
        timer = setTimeout(resolve, timeoutMs, false);
      });
      try {
        const navigation = send('Page.navigate', { url });
        // A page that does not answer is reported by the timeout.
        navigation.catch(ignoreGone);
        const started = await Promise.race([navigation, loaded]);
        const error =
          (started === false || started === true ? undefined : started.errorText) ?? null;
        const isComplete = error === null && (await loaded);
        const answer = watched.requests().findLast((it) => it.isPageDocument);
        const late = started === false ? `no answer within ${timeoutMs / 1000} s` : null;
        return {
          status: answer?.status ?? null,
          url: answer?.url ?? url,
          error: error ?? late,
          isComplete,
        };
      } finally {
        clearTimeout(timer);
        stop();
      }
    },
    intercept: watched.intercept,
    look,
    async click(place, selector, clickCount = 1) {
      const at = await locate(place, selector);
      if (at === null) return false;
      await mouse('mouseMoved', at);
      for (let count = 1; count <= clickCount; count += 1) await pressMouse(at, count);
      return true;
    },
    async hover(selector) {
      const at = await locate('page', selector);
      if (at !== null) await mouse('mouseMoved', at);
      return at !== null;
    },
    async press(name) {
      const { code, windowsVirtualKeyCode, ...more } = keys[name];
      const key = { key: name, code, windowsVirtualKeyCode, ...more };
      await send('Input.dispatchKeyEvent', {
        type: 'text' in more ? 'keyDown' : 'rawKeyDown',
        ...key,
      });
      await send('Input.dispatchKeyEvent', {
        type: 'keyUp',
        key: key.key,
        code,
        windowsVirtualKeyCode,
      });
    },
    async type(text) {
      await send('Input.insertText', { text });
    },
    async until(lookAgain, isThere, timeoutMs) {
      const end = performance.now() + timeoutMs;
      for (;;) {
        const seen = await lookAgain();
        if (seen !== null && isThere(seen)) return seen;
        if (performance.now() > end) return null;
        await new Promise((resolve) => setTimeout(resolve, lookIntervalMs));
      }
    },
    async close() {
      watched.stop();
      await connection.send('Target.disposeBrowserContext', { browserContextId }).catch(ignoreGone);
    },
  };
}

/** Emulates a phone or a desktop in that language, whose window has the focus. */
async function emulate(
  connection: BrowserConnection,
  main: string,
  { size, language }: Pick<TabOptions, 'size' | 'language'>,
): Promise<void> {
  const send = (method: string, params: object) => connection.send(method, params, main);
  const { width, height, isPhone } = size;
  await send('Emulation.setDeviceMetricsOverride', {
    width,
    height,
    mobile: isPhone,
    deviceScaleFactor: isPhone ? 2 : 1,
  });
  if (isPhone) await send('Emulation.setTouchEmulationEnabled', { enabled: true });
  const { userAgent } = await connection.send('Browser.getVersion');
  await send('Network.setUserAgentOverride', {
    userAgent: userAgent.replace('HeadlessChrome', 'Chrome'),
    acceptLanguage: language,
  });
  await send('Emulation.setLocaleOverride', { locale: language });
  // A headless browser's window counts as without focus, and :focus would not match.
  await send('Emulation.setFocusEmulationEnabled', { enabled: true });
}

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { accessSync, constants, existsSync, readdirSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import {
  clickAt,
  keystrokes,
  type Tab,
  type TestBrowser,
  type Viewport,
  viewports,
} from './tab.ts';

/** The programs that run WebKitGTK without a screen. */
export interface WebKitPrograms {
  readonly driver: string;
  readonly browser: string;
  readonly display: string;
}

/** Returns the programs of Debian's webkit2gtk-driver and xvfb; undefined if one of them is missing. */
export function findWebKit(): WebKitPrograms | undefined {
  const driver = onPath('WebKitWebDriver');
  const display = onPath('Xvfb');
  const browser = findMiniBrowser();
  return driver && display && browser ? { driver, display, browser } : undefined;
}

function onPath(name: string): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter);
  return folders.map((folder) => join(folder, name)).find(isProgram);
}

/** Finds MiniBrowser among the libraries, in a folder whose name contains the version of its API. */
function findMiniBrowser(): string | undefined {
  const libraries = '/usr/lib';
  const folders = ['', ...(existsSync(libraries) ? readdirSync(libraries) : [])];
  return folders
    .flatMap((folder) => ['4.1', '4.0'].map((it) => join(libraries, folder, `webkit2gtk-${it}`)))
    .map((folder) => join(folder, 'MiniBrowser'))
    .find(isProgram);
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Starts WebKitGTK through W3C WebDriver. All tabs share one session, which has one current window and frame. */
export async function startWebKit(programs: WebKitPrograms): Promise<TestBrowser> {
  const screen = spawn(
    programs.display,
    ['-displayfd', '3', '-screen', '0', '1400x1000x24', '-nolisten', 'tcp'],
    { stdio: ['ignore', 'ignore', 'ignore', 'pipe'] },
  );
  const [number] = await once(screen.stdio[3] as NodeJS.ReadableStream, 'data');
  const port = await freePort();
  const settings = await mkdtemp(join(tmpdir(), 'svc-webkit-'));
  const downloads = join(settings, 'downloads');
  await mkdir(downloads);
  await writeFile(join(settings, 'user-dirs.dirs'), `XDG_DOWNLOAD_DIR="${downloads}"\n`);
  const driver = spawn(programs.driver, [`--port=${port}`, '--host=127.0.0.1'], {
    stdio: 'ignore',
    env: {
      ...process.env,
      DISPLAY: `:${String(number).trim()}`,
      GDK_BACKEND: 'x11',
      XDG_CONFIG_HOME: settings,
    },
  });
  const send = senderTo(`http://127.0.0.1:${port}`);
  await untilReady(driver, send);
  const { sessionId } = await send<{ sessionId: string }>('POST', '/session', {
    capabilities: {
      alwaysMatch: {
        'webkitgtk:browserOptions': { binary: programs.browser, args: ['--automation'] },
      },
    },
  });
  const session: Session = {
    send: (method, path, body) => send(method, `/session/${sessionId}${path}`, body),
    queue: Promise.resolve(),
  };
  // The first window stays open, because a session without a window cannot open another one.
  const first = await session.send<string>('GET', '/window');
  return {
    downloads,
    async open(url, viewport = viewports.desktop) {
      const { handle } = await inTurn(session, async () => {
        await session.send('POST', '/window', { handle: first });
        return session.send<{ handle: string }>('POST', '/window/new', { type: 'window' });
      });
      const tab = tabOf(session, handle);
      await inTurn(session, () => resize(session, handle, viewport));
      await tab.goto(url);
      return tab;
    },
    async tabs() {
      const handles = await inTurn(session, () => session.send<string[]>('GET', '/window/handles'));
      return handles.map((handle) => tabOf(session, handle));
    },
    async close() {
      await session.send('DELETE', '');
      await Promise.all([end(driver), end(screen)]);
      await rm(settings, { recursive: true, force: true });
    },
  };
}

type Send = <T>(method: string, path: string, body?: object) => Promise<T>;

interface Session {
  readonly send: Send;
  /** The last command. The next one waits for it, because it may be for another window. */
  queue: Promise<unknown>;
}

function inTurn<T>(session: Session, act: () => Promise<T>): Promise<T> {
  const done = session.queue.then(act, act);
  session.queue = done;
  return done;
}

function senderTo(origin: string): Send {
  return async (method, path, body) => {
    const response = await fetch(origin + path, {
      method,
      ...(body ? { body: JSON.stringify(body) } : method === 'POST' ? { body: '{}' } : {}),
    });
    const { value } = (await response.json()) as { value: never };
    if (response.ok) return value;
    const { error, message } = value as { error: string; message: string };
    throw new Error(`${method} ${path}: ${error} ${message}`);
  };
}

async function untilReady(driver: ChildProcess, send: Send): Promise<void> {
  for (;;) {
    if (driver.exitCode !== null) throw new Error('WebKitWebDriver ended before it listened');
    const status = await send<{ ready: boolean }>('GET', '/status').catch(() => null);
    if (status?.ready) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** Resizes a window so that its page has this size. The window is larger, because it includes the browser's toolbar. */
async function resize(session: Session, handle: string, { width, height }: Viewport) {
  await session.send('POST', '/window', { handle });
  await session.send('POST', '/window/rect', { x: 0, y: 0, width, height });
  const [innerWidth, innerHeight] = await session.send<[number, number]>('POST', '/execute/sync', {
    script: 'return [innerWidth, innerHeight]',
    args: [],
  });
  await session.send('POST', '/window/rect', {
    width: width + width - innerWidth,
    height: height + height - innerHeight,
  });
}

const frameWith = `
  const all = (root) => [...root.querySelectorAll('*')].flatMap((it) =>
    it.shadowRoot ? [it, ...all(it.shadowRoot)] : [it]);
  const part = arguments[0];
  const frame = part && all(document).find((it) => it.localName === 'iframe' && it.src.includes(part));`;
const findFrame = `${frameWith} return frame ?? null;`;
const frameOffset = `${frameWith}
  const { x, y } = frame?.getBoundingClientRect() ?? { x: 0, y: 0 };
  return [x, y];`;

function tabOf(session: Session, handle: string): Tab {
  const { send } = session;

  function within<T>(act: () => Promise<T>, frame?: string): Promise<T> {
    return inTurn(session, async () => {
      await send('POST', '/window', { handle });
      await send('POST', '/frame', { id: null });
      if (frame !== undefined) {
        const id = await send('POST', '/execute/sync', { script: findFrame, args: [frame] });
        if (id === null) throw new Error(`No frame has an address with "${frame}"`);
        await send('POST', '/frame', { id });
      }
      return act();
    });
  }

  const act = (type: string, actions: object[], frame?: string) =>
    within(() => send<void>('POST', '/actions', { actions: [{ type, id: type, actions }] }), frame);

  return {
    id: handle,
    async evaluate<T>(expression: string, frame?: string) {
      const script = `const done = arguments[0];
        (async () => JSON.stringify(await (${expression})))().then(
          (value) => done({ value }), (error) => done({ error: String(error) }));`;
      const { value, error } = await within(
        () =>
          send<{ value?: string; error?: string }>('POST', '/execute/async', { script, args: [] }),
        frame,
      );
      if (error !== undefined) throw new Error(error);
      return (value === undefined ? undefined : JSON.parse(value)) as T;
    },
    press: (value, frame) => act('key', keystrokes(value), frame),
    type: (text, frame) => act('key', keystrokes(text), frame),
    async click(x, y, frame) {
      // The driver treats coordinates within a frame as coordinates of the page.
      const [left, top] = await within(() =>
        send<[number, number]>('POST', '/execute/sync', {
          script: frameOffset,
          args: [frame ?? null],
        }),
      );
      await act('pointer', clickAt(left + x, top + y));
    },
    goto: (url) => within(() => send<void>('POST', '/url', { url })),
    reload: () => within(() => send<void>('POST', '/refresh')),
    back: () => within(() => send<void>('POST', '/back')),
    async screenshot() {
      return Buffer.from(await within(() => send<string>('GET', '/screenshot')), 'base64');
    },
    close: () => within(() => send<void>('DELETE', '/window')),
  };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || !child.kill()) return;
  await once(child, 'exit');
}

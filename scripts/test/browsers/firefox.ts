import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { WebSocket } from 'undici';
import { clickAt, keystrokes, type Tab, type TestBrowser } from './tab.ts';

/** Returns the program that the `FIREFOX` variable names, or an installed one; undefined if there is none. */
export function findFirefox(): string | undefined {
  return [process.env.FIREFOX, 'firefox', 'firefox-esr'].find((path) => path && starts(path));
}

function starts(path: string): boolean {
  try {
    execFileSync(path, ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** Starts any installed Firefox by WebDriver BiDi, because Playwright needs newer commands than an ESR has. */
export async function startFirefox(path: string): Promise<TestBrowser> {
  const profile = await mkdtemp(join(tmpdir(), 'svc-firefox-'));
  const downloads = join(profile, 'downloads');
  await writeFile(join(profile, 'user.js'), preferencesOf(downloads));
  const options = ['--headless', '--no-remote', '--profile', profile, '--remote-debugging-port=0'];
  const child = spawn(path, options, { stdio: ['ignore', 'ignore', 'pipe'] });
  const send = await connect(await addressIn(child.stderr));
  await send('session.new', { capabilities: {} });
  return {
    downloads,
    async open(url, viewport) {
      const { context } = await send('browsingContext.create', { type: 'tab' });
      if (viewport) await send('browsingContext.setViewport', { context, viewport });
      const tab = tabOf(send, context as string);
      await tab.goto(url);
      return tab;
    },
    async tabs() {
      const { contexts } = await treeOf(send, { maxDepth: 0 });
      return contexts.map(({ context }) => tabOf(send, context));
    },
    async close() {
      const ended = once(child, 'exit');
      await send('browser.close', {});
      await ended;
      await rm(profile, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** Returns preferences that save each download in this folder, and open none. */
function preferencesOf(downloads: string): string {
  const preferences = {
    'browser.download.folderList': 2,
    'browser.download.dir': downloads,
    'browser.download.open_pdf_attachments_inline': false,
    'browser.helperApps.neverAsk.saveToDisk': 'application/pdf,text/calendar',
    'pdfjs.disabled': true,
  };
  const lines = Object.entries(preferences).map(
    ([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});\n`,
  );
  return lines.join('');
}

interface Tree {
  contexts: { context: string; url: string; children: Tree['contexts'] | null }[];
}

type Send = (method: string, params: object) => Promise<Record<string, unknown>>;

async function addressIn(stderr: NodeJS.ReadableStream): Promise<string> {
  for await (const line of createInterface({ input: stderr })) {
    const found = /WebDriver BiDi listening on (ws:\S+)/.exec(line)?.[1];
    if (found) return found;
  }
  throw new Error('Firefox ended before it listened');
}

async function connect(address: string): Promise<Send> {
  const socket = new WebSocket(`${address}/session`);
  const waiting = new Map<number, (answer: Record<string, unknown>) => void>();
  socket.addEventListener('message', ({ data }) => {
    const answer = JSON.parse(String(data));
    waiting.get(answer.id)?.(answer);
  });
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve);
    socket.addEventListener('error', reject);
  });
  let last = 0;
  return async (method, params) => {
    last += 1;
    const id = last;
    const answer = await new Promise<Record<string, unknown>>((resolve) => {
      waiting.set(id, resolve);
      socket.send(JSON.stringify({ id, method, params }));
    });
    if (answer.type === 'error') throw new Error(`${method}: ${answer.message}`);
    return answer.result as Record<string, unknown>;
  };
}

function tabOf(send: Send, context: string): Tab {
  // Firefox dispatches input to a cross-site frame only through that frame's own context.
  const act = async (type: string, actions: object[], frame?: string) => {
    const of = { context: await contextOf(frame) };
    await send('input.performActions', { ...of, actions: [{ type, id: type, actions }] });
  };

  async function contextOf(frame: string | undefined): Promise<string> {
    if (frame === undefined) return context;
    const { contexts } = await treeOf(send, { root: context });
    const found = allIn(contexts).find(({ url }) => url.includes(frame));
    if (found === undefined) throw new Error(`No frame has an address with "${frame}"`);
    return found.context;
  }

  return {
    id: context,
    async evaluate<T>(expression: string, frame?: string) {
      const { result, exceptionDetails } = await send('script.evaluate', {
        expression: `(async () => JSON.stringify(await (${expression})))()`,
        target: { context: await contextOf(frame) },
        awaitPromise: true,
      });
      if (exceptionDetails) throw new Error((exceptionDetails as { text: string }).text);
      const { value } = result as { value?: string };
      return (value === undefined ? undefined : JSON.parse(value)) as T;
    },
    press: (value, frame) => act('key', keystrokes(value), frame),
    type: (text, frame) => act('key', keystrokes(text), frame),
    click: (x, y, frame) => act('pointer', clickAt(x, y), frame),
    async goto(url) {
      await send('browsingContext.navigate', { context, url, wait: 'complete' });
    },
    async reload() {
      await send('browsingContext.reload', { context, wait: 'complete' });
    },
    async back() {
      await send('browsingContext.traverseHistory', { context, delta: -1 });
    },
    async screenshot() {
      const { data } = await send('browsingContext.captureScreenshot', { context });
      return Buffer.from(data as string, 'base64');
    },
    async close() {
      await send('browsingContext.close', { context });
    },
  };
}

async function treeOf(send: Send, options: object): Promise<Tree> {
  return (await send('browsingContext.getTree', options)) as unknown as Tree;
}

function allIn(contexts: Tree['contexts']): Tree['contexts'] {
  return contexts.flatMap((it) => [it, ...allIn(it.children ?? [])]);
}

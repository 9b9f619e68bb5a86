import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { exitCodes, Failure } from '../../failure.ts';
import { connectPipe } from './connection.ts';
import { openTab, type Tab, type TabOptions } from './open-tab.ts';

export interface Browser {
  /** Such as `Chrome/140.0.7339.80`. */
  readonly version: string;
  /** False once it has crashed or was closed. */
  readonly isRunning: boolean;
  /** Opens a tab that shares no cookies, storage or cache with another one. */
  openTab(options: TabOptions): Promise<Tab>;
  close(): Promise<void>;
}

const startTimeoutMs = 30_000;

const switches = [
  '--remote-debugging-pipe',
  '--headless=new',
  '--no-first-run',
  '--no-default-browser-check',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-default-apps',
  '--disable-extensions',
  '--disable-sync',
  '--disable-dev-shm-usage',
  '--metrics-recording-only',
  '--mute-audio',
  '--password-store=basic',
  '--use-mock-keychain',
  // The frame of the experience must be drawn and clickable as in the window in front.
  '--disable-backgrounding-occluded-windows',
  '--disable-renderer-backgrounding',
];

/** Starts a headless browser with a new profile, which `close` deletes. */
export async function launchBrowser(
  path: string,
  options: { variables: Readonly<Record<string, string | undefined>> },
): Promise<Browser> {
  const profile = await mkdtemp(join(tmpdir(), 'svc-certify-'));
  // Chrome refuses to start as root with its sandbox. CI containers run everything as root.
  const isRoot = process.getuid?.() === 0;
  const child = spawn(
    path,
    [...switches, ...(isRoot ? ['--no-sandbox'] : []), `--user-data-dir=${profile}`, 'about:blank'],
    {
      env: { ...options.variables },
      stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe'],
    },
  );
  const connection = connectPipe(child.stdio[3] as Writable, child.stdio[4] as Readable);
  let errorOutput = '';
  child.stderr?.on('data', (chunk) => {
    errorOutput = `${errorOutput}${chunk}`.slice(-2_000);
  });
  const exited = new Promise<void>((resolve) => {
    child.once('error', (error) => {
      errorOutput += error.message;
      connection.end(error);
      resolve();
    });
    child.once('exit', () => resolve());
  });

  async function close(): Promise<void> {
    await connection.send('Browser.close').catch(() => {});
    const timer = setTimeout(() => child.kill('SIGKILL'), 3_000);
    await exited;
    clearTimeout(timer);
    // Windows frees the files of a process a moment after its end.
    await rm(profile, { recursive: true, force: true, maxRetries: 5 });
  }

  try {
    const { product } = await withTimeout(connection.send('Browser.getVersion'));
    return {
      version: product.replace(/^Headless/, ''),
      get isRunning() {
        return child.exitCode === null && child.signalCode === null;
      },
      openTab: (tabOptions) => openTab(connection, tabOptions),
      close,
    };
  } catch {
    child.kill('SIGKILL');
    await close();
    throw new Failure(`The browser at ${path} does not start.`, {
      next: adviceFor(errorOutput),
      exitCode: exitCodes.failed,
      code: 'browser_failed',
    });
  }
}

async function withTimeout<T>(work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('timeout')), startTimeoutMs);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

function adviceFor(errorOutput: string): string {
  if (/No usable sandbox|namespace/i.test(errorOutput)) {
    return 'This machine does not let Chrome use its sandbox. Allow unprivileged user namespaces, or use another machine.';
  }
  const [library] = /\blib[\w-]{1,60}\.so\b/.exec(errorOutput) ?? [];
  if (library) return `It misses the library ${library}: install the packages that Chrome needs.`;
  const last = errorOutput.trim().split('\n').at(-1) ?? '';
  return last
    ? `It says: ${last.slice(0, 300)}`
    : 'Pass another one, such as --browser /usr/bin/google-chrome.';
}

import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const runFlags = ['--conditions=source', '--import', 'tsx'];

export type Settings = Readonly<Record<string, string>>;

/** Settings of a service without rate limits, in a new data folder. */
export async function benchSettings(databaseUrl: string): Promise<Settings> {
  return {
    DATABASE_URL: databaseUrl,
    SVC_DATA_DIR: await mkdtemp(join(tmpdir(), 'svc-bench-')),
    SVC_SECRET_KEY: randomBytes(32).toString('base64'),
    SVC_RATE_LIMIT_PER_SECOND: '1000000000',
    SVC_RATE_LIMIT_PER_MINUTE: '1000000000',
    SVC_ALLOW_PRIVATE_WEBHOOKS: '1',
    PORT: '0',
  };
}

/** Creates a partner, and the database's tables if it is the first. Returns its key. */
export function createPartner(settings: Settings, pms: string): string {
  const { stdout, stderr } = runAdmin(settings, ['partner', 'create', pms, '--create-database']);
  const key = /svc_sandbox_\w+/.exec(stdout)?.[0];
  if (key === undefined) throw new Error(stderr);
  return key;
}

/** Runs a command of `svc-admin`. */
export function runAdmin(settings: Settings, args: readonly string[]) {
  const command = [...runFlags, 'apps/server/src/cli.ts', ...args];
  const env = { ...process.env, ...settings };
  return spawnSync(process.execPath, command, { env, encoding: 'utf8' });
}

export interface Started {
  readonly url: string;
  readonly child: ChildProcess;
}

/**
 * Starts a service from its sources or, for a `.js` file, as it was built, and resolves once it has printed its URL.
 * Of the rest of its log, warnings and errors are shown.
 */
export async function startProcess(
  file: string,
  settings: Settings,
  nodeFlags: readonly string[] = [],
): Promise<Started> {
  const flags = [...nodeFlags, ...(file.endsWith('.js') ? [] : runFlags)];
  const child = spawn(process.execPath, [...flags, file], {
    env: { ...process.env, ...settings },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  // A bench that fails must leave no process behind.
  process.once('exit', () => child.kill('SIGKILL'));
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout.on('data', (data) => {
      const text = String(data);
      const found = /answers at (http:\S+)/.exec(text)?.[1];
      if (found !== undefined) resolve(found);
      for (const line of text.split('\n')) if (/^{"level":[4-6]0/.test(line)) console.error(line);
    });
    child.on('exit', (code) => reject(new Error(`${file} exited with ${code}.`)));
  });
  return { url, child };
}

/** Sends SIGTERM and waits for the end. */
export async function stopProcess({ child }: Started): Promise<void> {
  child.removeAllListeners('exit');
  const ended = once(child, 'exit');
  child.kill();
  await ended;
}

/** The body of a portal_info call for a tenant with one charge. */
export const portalInfoBody = JSON.stringify({
  first_name: 'Ada',
  last_name: 'Lane',
  email: 'ada@example.com',
  charges: [{ id: 'C-1', type: 'rent', due_date: '2026-02-01', amount_in_cents: 152_012 }],
});

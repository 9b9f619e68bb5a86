import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Pool } from 'undici';
import type { Bench, Row } from './rows.ts';
import { compare } from './rows.ts';

const concurrency = 64;
const count = 6_000;
const knownTenants = 1_000;
const rounds = 3;
const runFlags = ['--conditions=source', '--import', 'tsx'];
const body = JSON.stringify({
  first_name: 'Ada',
  last_name: 'Lane',
  email: 'ada@example.com',
  charges: [{ id: 'C-1', type: 'rent', due_date: '2026-02-01', amount_in_cents: 152_012 }],
});

/** Rate of portal_info with one charge, half of the calls for new tenants, ÷ the rate of the bare route. */
export const bench: Bench = async ({ databaseUrl }) => {
  const dataDir = await mkdtemp(join(tmpdir(), 'svc-bench-'));
  const settings = {
    DATABASE_URL: await databaseUrl(),
    SVC_DATA_DIR: dataDir,
    SVC_SECRET_KEY: randomBytes(32).toString('base64'),
    SVC_RATE_LIMIT_PER_SECOND: '1000000000',
    PORT: '0',
  };
  const key = createPartner(settings);
  const service = await start('apps/server/src/serve.ts', settings);
  const bare = await start('bench/baseline-portal-info.ts', { DATABASE_URL: await databaseUrl() });
  const sides = { service: [] as number[], keyed: [] as number[], bare: [] as number[] };
  const options = { key, keyed: false };
  for (const { url } of [service, bare]) await load(url, options, knownTenants, () => true);
  for (let round = 0; round < rounds; round += 1) {
    sides.bare.push(await perSecond(bare.url, options));
    sides.service.push(await perSecond(service.url, options));
    sides.keyed.push(await perSecond(service.url, { key, keyed: true }));
  }
  await Promise.all([stop(service.child), stop(bare.child)]);
  await rm(dataDir, { recursive: true, force: true });
  const rows: Row[] = compare('portal_info', 'per second', 0.5, sides.service, sides.bare);
  const [keyed] = compare('portal_info, Idempotency-Key', 'per second', 0, sides.keyed, sides.bare);
  return keyed ? [...rows, { ...keyed, floor: null }] : rows;
};

interface Options {
  readonly key: string;
  readonly keyed: boolean;
}

let sent = 0;

async function perSecond(url: string, options: Options): Promise<number> {
  const began = performance.now();
  await load(url, options, count, (index) => index % 2 === 0);
  return (count / (performance.now() - began)) * 1_000;
}

/** `known` decides which requests are for tenants that were sent before. */
async function load(
  url: string,
  { key, keyed }: Options,
  total: number,
  known: (index: number) => boolean,
): Promise<void> {
  const pool = new Pool(url, { connections: concurrency, pipelining: 1 });
  let started = 0;
  await Promise.all(
    Array.from({ length: concurrency }, async () => {
      while (started < total) {
        const index = started;
        started += 1;
        sent += 1;
        const id = known(index) ? `known-${index % knownTenants}` : `new-${sent}`;
        const { statusCode, body: answer } = await pool.request({
          method: 'POST',
          path: `/v1/tenant/portal_info/${id}`,
          headers: {
            authorization: `Bearer ${key}`,
            'content-type': 'application/json',
            ...(keyed ? { 'idempotency-key': `bench-${sent}` } : {}),
          },
          body,
        });
        const text = await answer.text();
        if (statusCode !== 200) throw new Error(`${statusCode} ${text}`);
      }
    }),
  );
  await pool.close();
}

function createPartner(settings: Record<string, string>): string {
  const file = 'apps/server/src/cli.ts';
  const args = [...runFlags, file, 'partner', 'create', 'bench', '--create-database'];
  const env = { ...process.env, ...settings };
  const { stdout, stderr } = spawnSync(process.execPath, args, { env, encoding: 'utf8' });
  const key = /svc_sandbox_\w+/.exec(stdout)?.[0];
  if (key === undefined) throw new Error(stderr);
  return key;
}

/** Starts a process whose log is written to a pipe and discarded. */
async function start(
  file: string,
  settings: Record<string, string>,
): Promise<{ url: string; child: ChildProcess }> {
  const child = spawn(process.execPath, [...runFlags, file], {
    env: { ...process.env, ...settings },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout.on('data', (data) => {
      const found = /answers at (http:\S+)/.exec(String(data))?.[1];
      if (found !== undefined) resolve(found);
    });
    child.on('exit', (code) => reject(new Error(`${file} exited with ${code}.`)));
  });
  return { url, child };
}

async function stop(child: ChildProcess): Promise<void> {
  child.removeAllListeners('exit');
  const ended = once(child, 'exit');
  child.kill();
  await ended;
}

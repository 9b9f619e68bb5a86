import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { findSvixServer } from '../apps/server/test/support/svix-server.ts';
import type { Figure, Measured } from './peers/measure.ts';
import { hasRedis } from './peers/start-redis.ts';
import { type Bench, plainRow, type Row } from './rows.ts';
import { startReceiver } from './start-receiver.ts';

const noRedis = 'no redis-server on PATH';
const peers = [
  { name: 'bare loop', file: 'bare', missing: undefined },
  { name: 'our engine', file: 'engine', missing: undefined },
  {
    name: 'svix-server',
    file: 'svix',
    missing: findSvixServer() === undefined && 'set SVIX_SERVER_BIN to its program',
  },
  { name: 'BullMQ', file: 'bullmq', missing: !hasRedis() && noRedis },
  { name: 'graphile-worker', file: 'graphile-worker', missing: undefined },
  { name: 'pg-boss', file: 'pg-boss', missing: undefined },
];

/**
 * `npm run bench:peers`: compares our engine, svix-server and job queues with the bare loop that signs and
 * POSTs, which is also measured alone. Linux only, because it reads CPU time from /proc.
 */
export const bench: Bench = async ({ databaseUrl }) => {
  installPeers();
  const receiver = await startReceiver();
  const rows: Row[] = [];
  for (const { name, file, missing } of peers) {
    if (missing) {
      console.log(`skipped ${name}: ${missing}`);
      continue;
    }
    rows.push(...rowsOf(name, await measure(file, receiver.origin, await databaseUrl())));
  }
  receiver.stop();
  return rows;
};

async function measure(file: string, origin: string, databaseUrl: string): Promise<Measured> {
  const script = fileURLToPath(new URL('./peers/measure.ts', import.meta.url));
  const args = ['--conditions=source', '--import', 'tsx', script, file, origin, databaseUrl];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const printed: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => printed.push(chunk));
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new Error(`The measurement of ${file} ended with ${code}.`);
  const last = Buffer.concat(printed).toString().trim().split('\n').at(-1);
  return JSON.parse(last ?? '') as Measured;
}

/** Returns one peer's rows. They are informational, so they have no bounds. */
function rowsOf(name: string, it: Measured): Row[] {
  const row = (what: string, { value, spread }: Figure, unit: string) =>
    plainRow(`${name}: ${what}`, value, unit, spread);
  const single = (what: string, value: number, unit: string) =>
    plainRow(`${name}: ${what}`, value, unit);
  return [
    {
      ...row('delivered, one call each', it.perSecond, 'per second'),
      ratio: it.ratio.value,
      spread: it.ratio.spread,
    },
    row('bare loop in the same rounds', it.barePerSecond, 'per second'),
    row('call → received at 200/s, p50', it.p50, 'ms'),
    row('call → received at 200/s, p99', it.p99, 'ms'),
    ...(it.othersPerSecond === null
      ? []
      : [single('others, while one endpoint hangs', it.othersPerSecond, 'per second')]),
    row('CPU for 1,000, with databases', it.cpuSeconds, 's'),
    single('memory, without databases', it.rssMb, 'MB'),
    single('lost', it.lost, 'messages'),
    single('repeated', it.repeated, 'messages'),
  ];
}

function installPeers(): void {
  const cwd = fileURLToPath(new URL('./peers/', import.meta.url));
  if (existsSync(`${cwd}node_modules/pg-boss`)) return;
  const { status } = spawnSync('npm', ['ci', '--no-workspaces'], { cwd, stdio: 'inherit' });
  if (status !== 0) throw new Error('The packages in bench/peers could not be installed.');
}

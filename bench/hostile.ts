import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { constants, setPriority } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'undici';
import { type Bench, plainRow, type Row, range } from './rows.ts';
import {
  benchSettings,
  createPartner,
  portalInfoBody,
  type Started,
  startProcess,
  stopProcess,
} from './start-service.ts';
import { percentile } from './webhooks/setup.ts';

const attacks = [
  'refused calls with many fields',
  'logos of 8 MiB',
  'scenarios',
  'the API reference',
  'test sends to a silent receiver',
  'the doctor on a hostile page',
  'addresses that end with 15,000 slashes',
];
const windowMs = 10_000;
/** The time between two calls. Their rate is far below a key's rate limit. */
const callEveryMs = 20;
const maxSlowdown = 5;

/**
 * Lets one partner attack, with the service's usual limits, while another one reports a tenant every 20 ms. Compares
 * the 99th percentile of the other partner's calls with that of a quiet window right before. No call of the other
 * partner may be refused.
 */
export const bench: Bench = async ({ databaseUrl }) => {
  const {
    SVC_RATE_LIMIT_PER_SECOND: _second,
    SVC_RATE_LIMIT_PER_MINUTE: _minute,
    ...settings
  } = await benchSettings(await databaseUrl());
  const key = createPartner(settings, 'quiet');
  const hostileKey = createPartner(settings, 'hostile');
  const service = await startProcess('apps/server/src/serve.ts', settings);
  await measure(service, key);
  const windows: { name: string; quiet: Measured; attacked: Measured }[] = [];
  for (const name of attacks) {
    const quiet = await measure(service, key);
    const attacker = spawn(
      process.execPath,
      ['--import', 'tsx', new URL('./hostile/attack.ts', import.meta.url).pathname],
      {
        env: {
          ...process.env,
          SVC_ATTACK: name,
          SVC_ATTACK_URL: service.url,
          SVC_ATTACK_KEY: hostileKey,
        },
        stdio: ['pipe', 'pipe', 'inherit'],
      },
    );
    // Its own start must not take the processor from the service: a real attacker has another machine.
    setPriority(attacker.pid ?? 0, constants.priority.PRIORITY_LOW);
    await once(attacker.stdout, 'data');
    const attacked = await measure(service, key);
    const ended = once(attacker, 'exit');
    attacker.stdin.end();
    await ended;
    windows.push({ name, quiet, attacked });
    // Lets the attack's remaining work finish before the next quiet window.
    await sleep(2_000);
  }
  await stopProcess(service);
  await rm(settings.SVC_DATA_DIR ?? '', { recursive: true, force: true });
  const bare = range(windows.map(({ quiet }) => percentile(quiet.tookMs, 0.99)));
  return windows.flatMap(({ name, quiet, attacked }): Row[] => {
    const quietP99 = percentile(quiet.tookMs, 0.99);
    const attackedP99 = percentile(attacked.tookMs, 0.99);
    const spreadOf = ({ tookMs }: Measured) =>
      [percentile(tookMs, 0.5), percentile(tookMs, 1)] as const;
    return [
      {
        ...plainRow(
          `${name}: portal_info of another partner, p99`,
          attackedP99,
          'ms',
          spreadOf(attacked),
        ),
        ceiling: maxSlowdown,
        ratio: attackedP99 / quietP99,
        bare,
      },
      plainRow(`${name}: quiet, p99`, quietP99, 'ms', spreadOf(quiet)),
      {
        ...plainRow(
          `${name}: calls of another partner that were refused`,
          attacked.refused,
          'calls',
        ),
        ceiling: 0,
        ratio: attacked.refused,
      },
    ];
  });
};

interface Measured {
  readonly tookMs: readonly number[];
  readonly refused: number;
}

/** Calls at a fixed rate, so that when the service stalls, every call that it keeps waiting is measured. */
async function measure({ url }: Started, key: string): Promise<Measured> {
  const pool = new Pool(url, { connections: 64, pipelining: 1 });
  const tookMs: number[] = [];
  let refused = 0;
  const call = async (index: number) => {
    const began = performance.now();
    const response = await pool.request({
      method: 'POST',
      path: `/v1/tenant/portal_info/t-${index % 100}`,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: portalInfoBody,
    });
    await response.body.text();
    tookMs.push(performance.now() - began);
    if (response.statusCode !== 200) refused += 1;
  };
  const began = performance.now();
  const calls: Promise<void>[] = [];
  for (let index = 0; index * callEveryMs < windowMs; index += 1) {
    await sleep(Math.max(0, began + index * callEveryMs - performance.now()));
    calls.push(call(index));
  }
  await Promise.all(calls);
  await pool.close();
  return { tookMs, refused };
}

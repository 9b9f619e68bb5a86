import { rm } from 'node:fs/promises';
import { Pool } from 'undici';
import type { Bench, Row } from './rows.ts';
import { compare } from './rows.ts';
import {
  benchSettings,
  createPartner,
  portalInfoBody,
  startProcess,
  stopProcess,
} from './start-service.ts';

const concurrency = 64;
const count = 6_000;
const knownTenants = 1_000;
const rounds = 3;

/** Rate of portal_info with one charge, half of the calls for new tenants, ÷ the rate of the bare route. */
export const bench: Bench = async ({ databaseUrl }) => {
  const settings = await benchSettings(await databaseUrl());
  const key = createPartner(settings, 'bench');
  const service = await startProcess('apps/server/src/serve.ts', settings);
  const bareSettings = { DATABASE_URL: await databaseUrl() };
  const bare = await startProcess('bench/baseline-portal-info.ts', bareSettings);
  const sides = { service: [] as number[], keyed: [] as number[], bare: [] as number[] };
  const options = { key, keyed: false };
  for (const { url } of [service, bare]) await load(url, options, knownTenants, () => true);
  for (let round = 0; round < rounds; round += 1) {
    sides.bare.push(await perSecond(bare.url, options));
    sides.service.push(await perSecond(service.url, options));
    sides.keyed.push(await perSecond(service.url, { key, keyed: true }));
  }
  await Promise.all([stopProcess(service), stopProcess(bare)]);
  await rm(settings.SVC_DATA_DIR ?? '', { recursive: true, force: true });
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
          body: portalInfoBody,
        });
        const text = await answer.text();
        if (statusCode !== 200) throw new Error(`${statusCode} ${text}`);
      }
    }),
  );
  await pool.close();
}

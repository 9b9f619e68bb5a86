import { createHmac } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { cpuSeconds } from './process-usage.ts';
import type { Bench } from './rows.ts';
import { compare } from './rows.ts';
import { type Call, measureRate, refusedRow } from './send-calls.ts';
import {
  benchSettings,
  createPartner,
  type Started,
  startProcess,
  stopProcess,
} from './start-service.ts';

const requests = 4_000;
const rounds = 5;
const tenants = 200;
const pms = 'bench';

/**
 * Compares the rate of a whole service with that of a bare handler that runs the same number of trivial
 * statements, with the request mix of a property portal: 36 % portal_info, 32 % widget sessions, 24 %
 * experience states and 8 % lists. Also compares their CPU time per request.
 */
export const bench: Bench = async ({ databaseUrl }) => {
  const settings = await benchSettings(await databaseUrl());
  const key = createPartner(settings, pms);
  // SVC_BENCH_NODE_FLAGS="--cpu-prof" profiles the service.
  const flags = (process.env.SVC_BENCH_NODE_FLAGS ?? '').split(' ').filter((flag) => flag !== '');
  const service = await startProcess('apps/server/src/serve.ts', settings, flags);
  // Another checkout of the repository, measured in the same rounds.
  const beforeFolder = process.env.SVC_BENCH_BEFORE;
  const before = beforeFolder
    ? await startProcess(`${beforeFolder}/apps/server/src/serve.ts`, settings)
    : undefined;
  const bareSettings = { DATABASE_URL: await databaseUrl() };
  const bare = await startProcess('bench/baseline-service.ts', bareSettings);
  const mix = await prepare(service.url, key);
  const sides = { service, bare, ...(before && { before }) };
  const samples = () => ({ service: [] as number[], bare: [] as number[], before: [] as number[] });
  const rates = samples();
  const cpu = samples();
  for (const { url } of Object.values(sides)) await measureRate(url, requests, mix);
  let refused = 0;
  for (let round = 0; round < rounds; round += 1) {
    for (const [name, { url, child }] of Object.entries(sides) as [keyof typeof rates, Started][]) {
      const cpuBefore = cpuSeconds(child.pid ?? 0);
      const rate = await measureRate(url, requests, mix);
      rates[name].push(rate.perSecond);
      cpu[name].push(((cpuSeconds(child.pid ?? 0) - cpuBefore) * 1_000) / rate.answered);
      refused += rate.refused;
    }
  }
  await Promise.all(Object.values(sides).map(stopProcess));
  await rm(settings.SVC_DATA_DIR ?? '', { recursive: true, force: true });
  const [cpuRow, bareCpuRow] = compare('CPU time of a request', 'ms', {}, cpu.service, cpu.bare);
  return [
    ...compare('whole service', 'per second', { floor: 0.2 }, rates.service, rates.bare),
    cpuRow,
    bareCpuRow,
    ...(before
      ? [
          compare('before: rate', 'per second', {}, rates.before, rates.bare)[0],
          compare('before: CPU time of a request', 'ms', {}, cpu.before, cpu.bare)[0],
        ]
      : []),
    refusedRow(refused),
  ];
};

/** Creates the tenants and their sessions. Returns the call for each index; every 100 calls have the exact mix. */
async function prepare(url: string, apiKey: string): Promise<(index: number) => Call> {
  const dueDate = new Date(Date.now() + 3 * 86_400_000).toISOString().slice(0, 10);
  const info = JSON.stringify({
    first_name: 'Ada',
    last_name: 'Lane',
    email: 'ada@example.com',
    charges: [{ id: 'C-1', type: 'rent', due_date: dueDate, amount_in_cents: 152_012 }],
  });
  const byKey = { authorization: `Bearer ${apiKey}` };
  const json = { 'content-type': 'application/json' };
  const people: { portalInfo: Call; widget: Call; state: Call }[] = [];
  for (let number = 0; number < tenants; number += 1) {
    const externalId = `t-${number}`;
    const signature = createHmac('sha256', apiKey).update(`${pms}+${externalId}`).digest('hex');
    const portalInfo: Call = {
      method: 'POST',
      path: `/v1/tenant/portal_info/${externalId}`,
      headers: { ...byKey, ...json },
      body: info,
    };
    const { token } = (await callOnce(url, portalInfo)) as { token: string };
    const identity = { pms, external_id: externalId, signature };
    const exchange = { ...identity, token, nonce: 'nonce-of-this-frame-1' };
    const { session } = (await callOnce(url, {
      method: 'POST',
      path: '/v1/experience/session',
      headers: json,
      body: JSON.stringify(exchange),
    })) as { session: string };
    const widget: Call = {
      method: 'POST',
      path: '/v1/widget/session',
      headers: json,
      body: JSON.stringify(identity),
    };
    const state: Call = {
      method: 'GET',
      path: '/v1/experience/state',
      headers: { authorization: `Bearer ${session}` },
    };
    people.push({ portalInfo, widget, state });
  }
  const lists = ['/v1/settlements', '/v1/webhooks/messages'].map(
    (path): Call => ({ method: 'GET', path, headers: byKey }),
  );
  return (index) => {
    const person = people[index % tenants];
    // 37 and 100 have no common factor, so each hundred calls has the exact mix, well shuffled.
    const place = (index * 37) % 100;
    if (!person || place >= 92) return lists[place % 2] as Call;
    if (place < 36) return person.portalInfo;
    return place < 68 ? person.widget : person.state;
  };
}

async function callOnce(url: string, { path, ...init }: Call): Promise<unknown> {
  const response = await fetch(url + path, init);
  const text = await response.text();
  if (response.status !== 200) throw new Error(`${path}: ${response.status} ${text}`);
  return (JSON.parse(text) as { data: unknown }).data;
}

import { rm } from 'node:fs/promises';
import type { Bench } from './rows.ts';
import { compare } from './rows.ts';
import { type Call, measureRate, refusedRow } from './send-calls.ts';
import {
  benchSettings,
  createPartner,
  portalInfoBody,
  startProcess,
  stopProcess,
} from './start-service.ts';

const count = 6_000;
const knownTenants = 1_000;
const rounds = 5;

/** Compares the rate of portal_info with one charge, half of the calls for new tenants, with the bare route's rate. */
export const bench: Bench = async ({ databaseUrl }) => {
  const settings = await benchSettings(await databaseUrl());
  const key = createPartner(settings, 'bench');
  const service = await startProcess('apps/server/src/serve.ts', settings);
  const bareSettings = { DATABASE_URL: await databaseUrl() };
  const bare = await startProcess('bench/baseline-portal-info.ts', bareSettings);
  const rates = { service: [] as number[], keyed: [] as number[], bare: [] as number[] };
  let refused = 0;
  const measure = async (url: string, keyed: boolean) => {
    const rate = await measureRate(url, count, callsOf(key, { keyed }));
    refused += rate.refused;
    return rate.perSecond;
  };
  for (const { url } of [service, bare]) {
    await measureRate(url, knownTenants, callsOf(key, { keyed: false, onlyKnown: true }));
  }
  for (let round = 0; round < rounds; round += 1) {
    rates.bare.push(await measure(bare.url, false));
    rates.service.push(await measure(service.url, false));
    rates.keyed.push(await measure(service.url, true));
  }
  await Promise.all([stopProcess(service), stopProcess(bare)]);
  await rm(settings.SVC_DATA_DIR ?? '', { recursive: true, force: true });
  const unit = 'per second';
  const [keyed] = compare('portal_info, Idempotency-Key', unit, {}, rates.keyed, rates.bare);
  return [
    ...compare('portal_info', unit, { floor: 0.5 }, rates.service, rates.bare),
    keyed,
    refusedRow(refused),
  ];
};

/** Returns calls that alternate between known tenants and new ones, or calls for known ones only. */
function callsOf(key: string, options: { keyed: boolean; onlyKnown?: boolean }) {
  return (index: number): Call => {
    sent += 1;
    const isKnown = options.onlyKnown || index % 2 === 0;
    return {
      method: 'POST',
      path: `/v1/tenant/portal_info/${isKnown ? `known-${index % knownTenants}` : `new-${sent}`}`,
      headers: {
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
        ...(options.keyed ? { 'idempotency-key': `bench-${sent}` } : {}),
      },
      body: portalInfoBody,
    };
  };
}

let sent = 0;

import { sql } from '@svc/db';
import { rowsOf } from '@svc/db/testing';
import { expect, test } from 'vitest';
import { readConfig } from '../../src/config.ts';
import type { OperatorRequest } from '../../src/operator/administer.ts';
import { processors } from '../../src/processors/index.ts';
import { parseStatements } from '../../src/statements/parse-statements.ts';
import { writeStatements } from '../../src/statements/write-statements.ts';
import { ada, useService } from '../harness.ts';
import { playTenant } from '../journeys/play-tenant.ts';
import { courier } from './courier/index.ts';

// A processor that the service has never seen is added as an operator's own would be: with a folder, and no
// change to any other file.
const known = [...processors, courier];
const settings = { SVC_PROCESSOR: 'courier', SVC_COURIER_DEPOT: 'north' };
const { processor, processorSettings } = readConfig(settings, known);
const chosen = { processor, processorSettings, metricsPort: 0 };
const svc = await useService(chosen, '2026-02-02T17:00:00Z', { processors: known });

async function run<T>(request: object): Promise<T> {
  const answer = await svc.administer(request as OperatorRequest);
  if (!answer.ok) throw new Error(answer.message);
  return answer.result as T;
}

test('its settings are required when it is chosen, and only then', () => {
  expect(() => readConfig({ SVC_PROCESSOR: 'courier' }, known)).toThrow(
    'SVC_COURIER_DEPOT must be set, because SVC_PROCESSOR is courier.',
  );
  expect(() => readConfig({ SVC_PROCESSOR: 'pigeon' }, known)).toThrow(
    'SVC_PROCESSOR must be simulator, stripe, ach or courier.',
  );
  expect(readConfig({}, known)).toMatchObject({ processor: 'simulator' });
});

test('a plan is paid with it, and its lane, account, matching rule, command and tables take part', async () => {
  const { key, pms, id } = await svc.newPartner();
  const body = { ...ada, charges: [{ ...ada.charges[0], due_date: '2026-02-02' }] };
  const info = await svc.call('POST', '/tenant/portal_info/t-1', { key, body });
  const who = { pms, apiKey: key, externalId: 't-1', productVariant: 'rent' as const };
  const tenant = await playTenant(svc, info.data.token, who);
  await tenant.apply();
  await tenant.pay();
  const { items } = (await tenant.quotes()).data;
  const accepted = await tenant.accept(items.at(-1));
  expect(accepted.error).toBeNull();

  // The lane books the parcel as cash, before the processor says that it has deposited it.
  const balances = async () => {
    const { lines } = await run<Trial>({ command: 'books trial-balance', as_of: '2026-02-10' });
    return Object.fromEntries(lines.map((it) => [it.kind, it.debit_in_cents - it.credit_in_cents]));
  };
  await expect
    .poll(async () => {
      svc.clock.advance(60_000);
      return (await balances()).cash;
    })
    .toBeGreaterThan(0);
  const { cash = 0 } = await balances();
  await expect
    .poll(async () => {
      svc.clock.advance(3_600_000);
      return balances();
    })
    .toMatchObject({ cash, courier_clearing: 0, processor_clearing: 0 });

  const listed = { command: 'courier list' } as unknown as OperatorRequest;
  const parcels = await run<{ items: { number: string }[] }>(listed);
  const [parcel] = parcels.items;
  expect(parcel?.number).toMatch(/^north-pay_/);
  expect(courier.commands[0].describe(parcels as never, {})).toBe(`${parcel?.number}\n`);
  const { items: accounts } = await run<{ items: object[] }>({ command: 'books accounts' });
  expect(accounts).toContainEqual({
    kind: 'courier_clearing',
    number: 2060,
    name: 'Parcels',
    type: 'liability',
  });

  await run({
    command: 'bank add',
    name: 'operating',
    currency: 'USD',
    account_last4: '6789',
    ledger_account: 'cash',
    starts_on: '2026-02-02',
  });
  const line = {
    fileLine: 0,
    kind: 'entry' as const,
    bookedOn: '2026-02-02',
    amountInCents: cash,
    reference: parcel?.number ?? '',
    description: '',
  };
  const statement = {
    fileLine: 0,
    account: '006789',
    currency: 'USD',
    from: '2026-02-02',
    to: '2026-02-10',
    openingInCents: 0,
    closingInCents: cash,
    lines: [line],
  };
  const file = writeStatements({ format: 'csv', statements: [statement] });
  const statements = { file: 'bank.csv', ...parseStatements(Buffer.from(file)) };
  await run({ command: 'statement import', bank: 'operating', statements });
  expect(await run({ command: 'books reconcile' })).toMatchObject({ reference: 1 });

  const metrics = await (await fetch(svc.metricsAt ?? '')).text();
  expect(metrics).toContain('svc_courier_parcels{state="delivered"} 1\n');
  expect(metrics).toContain('svc_lane_lag_seconds{lane="parcels"} 0\n');

  const exported = await run<{ tables: Record<string, object[]> }>({
    command: 'tenant export',
    pms,
    external_id: 't-1',
  });
  expect(exported.tables.courier_parcel).toMatchObject([{ number: parcel?.number }]);
  expect(
    await rowsOf(svc.db, sql`select processor from processor_call where partner_id = ${id}`),
  ).toEqual([{ processor: 'courier' }]);
});

interface Trial {
  readonly lines: readonly {
    readonly kind: string;
    readonly debit_in_cents: number;
    readonly credit_in_cents: number;
  }[];
}

import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from '@svc/db';
import { rowsOf } from '@svc/db/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { tick } from '../../src/jobs/tick.ts';
import { achLane } from '../../src/processors/ach/exchange-files.ts';
import type { NachaEntry } from '../../src/processors/ach/nacha.ts';
import { type AchBank, openAchBank } from '../../src/processors/ach/simulated-bank.ts';
import { ada, type Running, startRunning } from '../harness.ts';
import { achSettings } from '../support/ach-stage.ts';
import { checkMoney } from './check-money.ts';
import { playTenant, testCard } from './play-tenant.ts';

// The life of plans that are paid through ACH files: the service on one side of a folder, the simulated
// bank on the other, and nothing between them but files.

const hourMs = 3_600_000;
const quiet = { info() {}, warn() {}, error() {} };

let svc: Running;
let folder: string;
let settings: ReturnType<typeof achSettings>;
let bank: AchBank;
let partner: Awaited<ReturnType<Running['newPartner']>>;
/** The answers of the tenants' banks, in the order in which we send the entries. */
const answers = new Map<string, (string | null)[]>();
const sent: NachaEntry[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'svc-ach-plan-'));
  settings = achSettings(folder);
  // Without the worker, so that the test decides when the lanes run. It begins on a Monday at noon.
  const config = {
    roles: ['api'] as const,
    processor: 'ach',
    processorSettings: settings,
  } as const;
  svc = await startRunning(config, '2026-02-02T17:00:00Z');
  bank = openAchBank(settings, () => svc.clock.now());
  partner = await svc.newPartner();
});
afterAll(async () => {
  await svc.close();
  await rm(folder, { recursive: true, force: true });
});

async function runLanes(): Promise<void> {
  const deps = { ...svc.commands, log: quiet };
  await tick({ ...deps, ofProcessor: [achLane(deps, settings)] });
}

/** Lets days pass, from noon to noon. The bank collects the files in the evening, and answers at night. */
async function passDays(days: number): Promise<void> {
  for (let day = 0; day < days; day += 1) {
    svc.clock.advance(5 * hourMs);
    await runLanes();
    const entries = await bank.collect();
    sent.push(...entries);
    await bank.send(
      entries.flatMap((entry) => {
        const reason = answers.get(entry.accountNumber)?.shift() ?? null;
        return reason === null ? [] : [{ entry, reason, corrected: '000777770000' }];
      }),
    );
    svc.clock.advance(19 * hourMs);
    await runLanes();
  }
}

/** A tenant who types an account number into our fields and accepts a plan of four payments. */
async function withPlan(externalId: string, account_number: string) {
  const { key, pms } = partner;
  const body = { ...ada, charges: [{ ...ada.charges[0], due_date: '2026-02-02' }] };
  const info = await svc.call('POST', `/tenant/portal_info/${externalId}`, { key, body });
  const who = { pms, apiKey: key, externalId, productVariant: 'rent' as const };
  const tenant = await playTenant(svc, info.data.token, who);
  await tenant.apply();
  expect((await tenant.state()).data).toMatchObject({
    account_entry: 'fields',
    takes_cards: false,
  });
  expect((await tenant.pay(testCard)).error).toMatchObject({ code: 'validation_failed' });
  const typed = { type: 'bank_account', routing_number: '110000000', account_type: 'checking' };
  expect((await tenant.pay({ ...typed, account_number })).error).toBeNull();
  const accepted = await tenant.accept((await tenant.quotes()).data.items.at(-1));
  expect(accepted.error).toBeNull();
  const { plan } = accepted.data.state;
  const read = async () => (await svc.call('GET', `/plans/${plan.id}`, { key })).data;
  const check = () => checkMoney(svc.db, plan);
  return { ...tenant, plan, read, check };
}

const states = (plan: { installments: { state: string }[] }) =>
  plan.installments.map(({ state }) => state);

const eventsOf = async (externalId: string) =>
  (
    await rowsOf<{ type: string }>(
      svc.db,
      sql`select type from webhook_messages where subject = ${externalId} order by id`,
    )
  ).map(({ type }) => type);

test('plans on ACH: four days to the first payment, R01 and a retry, R02, a correction, day 59', async () => {
  // The second debit comes back once for insufficient funds.
  answers.set('000222220001', [null, 'R01']);
  // The first debit brings a corrected account number; the debits of that account find it closed.
  answers.set('000222220002', ['C01']);
  answers.set('000777770000', ['R02', 'R02', 'R02']);
  const short = await withPlan('t-short', '000222220001');
  const closed = await withPlan('t-closed', '000222220002');
  const disputed = await withPlan('t-disputed', '000222220003');

  // Monday's debit is in Monday's file, settles on Tuesday, and may come back until Thursday.
  await passDays(3);
  expect((await short.read()).state).toBe('created');
  expect(await eventsOf('t-short')).not.toContain('plan.activated');
  await passDays(1);
  for (const tenant of [short, closed, disputed]) {
    expect(await tenant.read()).toMatchObject({ state: 'active' });
    expect(states(await tenant.read())[0]).toBe('paid');
    await tenant.check();
  }
  expect(await eventsOf('t-short')).toEqual(
    expect.arrayContaining(['plan.activated', 'settlement.created', 'installment.paid']),
  );

  await passDays(40);
  // The debit that came back was made again some days later, in a batch that says so, and paid.
  expect(await short.read()).toMatchObject({ state: 'completed' });
  const debits = sent.filter((it) => it.accountNumber === '000222220001');
  expect(debits).toHaveLength(5);
  expect(await eventsOf('t-short')).toEqual(expect.arrayContaining(['installment.failed']));
  await short.check();

  // The corrected number was used from the second debit on. Its account is closed: nothing is retried.
  const corrected = sent.filter((it) => it.accountNumber === '000777770000');
  expect(sent.filter((it) => it.accountNumber === '000222220002')).toHaveLength(1);
  expect(corrected).toHaveLength(3);
  expect(states(await closed.read())).toEqual(['paid', 'overdue', 'overdue', 'overdue']);
  await closed.check();

  // The tenant's bank takes the first payment back on day 59, after the plan was completed.
  expect(await disputed.read()).toMatchObject({ state: 'completed' });
  await passDays(15);
  const entry = sent.find((it) => it.accountNumber === '000222220003');
  if (!entry) throw new Error('nothing was sent');
  await bank.send([{ entry, reason: 'R10' }]);
  await runLanes();
  expect(states(await disputed.read())[0]).toBe('overdue');
  expect(await eventsOf('t-disputed')).toContain('installment.failed');
  await disputed.check();

  // No account number is in the log, in an event or in the audit log, and every file was read.
  const places = [
    svc.lines.join('\n'),
    JSON.stringify(await rowsOf(svc.db, sql`select body from processor_inbox`)),
    JSON.stringify(await rowsOf(svc.db, sql`select details from audit_entry`)),
  ];
  for (const place of places) expect(place).not.toMatch(/000(22222|77777)\d{4}/);
  for (const part of ['inbox', 'outbox', 'rejected', 'staging']) {
    expect(await readdir(join(folder, part))).toEqual([]);
  }
});

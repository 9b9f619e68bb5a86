import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { testRoutingNumber } from '@svc/contract';
import { json, raw, row, sql } from '@svc/db';
import { oneRowOf } from '@svc/db/testing';
import { recordPortalInfo } from '../../src/domain/intake/record-portal-info.ts';
import { insertPaymentMethod } from '../../src/domain/payments/payment-methods.ts';
import type { BankAccount, ProcessorEvent } from '../../src/domain/payments/processor.ts';
import { createAchProcessor } from '../../src/processors/ach/ach-processor.ts';
import type { AchSettings } from '../../src/processors/ach/ach-settings.ts';
import { createExchange } from '../../src/processors/ach/exchange-files.ts';
import type { AchFolder } from '../../src/processors/ach/folder.ts';
import { openAchBank } from '../../src/processors/ach/simulated-bank.ts';
import { openStage } from './open-stage.ts';
import type { Chargeable } from './processor-contract.ts';

const start = '2026-02-02T15:00:00Z';
const quiet = { info() {}, warn() {}, error() {} };
const inboxRow = row('event in the inbox', { body: json() });

/** Settings of a bank that does not exist. */
export function achSettings(folder: string): AchSettings {
  return {
    bankRoutingNumber: '021000021',
    bankName: 'SPONSOR BANK',
    originId: '1234567890',
    companyId: '1234567890',
    companyName: 'SVC',
    description: 'RENT',
    folder,
    cutOff: '1700',
    sameDayCutOff: undefined,
    returnDays: 3,
    prenote: false,
  };
}

/** Opens the ACH adapter with a database, a folder, a bank, and a clock that tests move. */
export async function openAchStage(changes: Partial<AchSettings> = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'svc-ach-'));
  const settings = { ...achSettings(folder), ...changes };
  const stage = await openStage({ now: start });
  const { db, service } = stage;
  const clock = { now: () => stage.clock.now, after: () => () => {} };
  const processor = createAchProcessor(settings, { db, clock, environment: 'sandbox' });
  const bank = openAchBank(settings, clock.now);
  const partner = await stage.newPartner();
  let tenants = 0;

  /** Creates a process that exchanges files, if needed through a folder that fails or with wrong settings. */
  const newProcess = (failingFolder?: AchFolder, wrong: Partial<AchSettings> = {}) =>
    createExchange({ db, clock, log: quiet, service }, { ...settings, ...wrong }, failingFolder);
  const exchange = newProcess();

  async function open(account_number: string): Promise<Chargeable> {
    tenants += 1;
    const external_id = `t-${tenants}`;
    const input = { first_name: 'Zoë', last_name: 'O’Hara', email: 'zoe@example.com', charges: [] };
    await stage.run(partner, (ctx) =>
      recordPortalInfo(ctx, { external_id, input, dry_run: false }),
    );
    const { id } = await oneRowOf<{ id: string }>(
      db,
      sql`select id from tenant where external_id = ${external_id}`,
    );
    const instrument: BankAccount = {
      type: 'bank_account',
      routing_number: testRoutingNumber,
      account_number,
      account_type: 'checking',
    };
    const payer = { partnerId: partner.partnerId, tenantId: id, timeZone: 'UTC', at: clock.now() };
    const { id: methodId } = await stage.run(partner, (ctx) =>
      insertPaymentMethod(ctx, payer, {
        type: 'bank_account',
        brand: null,
        last4: account_number.slice(-4),
        expires: null,
        instrument,
      }),
    );
    return { payer, methodId, instrument };
  }

  let seen = 0;
  async function events(): Promise<ProcessorEvent[]> {
    const rows = await db.many(
      inboxRow,
      sql`select body from processor_inbox order by received_at, event_id offset ${seen}`,
    );
    seen += rows.length;
    return rows.map(({ body }) => body as ProcessorEvent);
  }

  return {
    ...stage,
    settings,
    folder,
    processor,
    bank,
    exchange,
    newProcess,
    open,
    events,
    now: clock.now,
    /** Moves the clock to an instant, and lets the lane run once. */
    async at(instant: string): Promise<void> {
      stage.clock.now = new Date(instant);
      await exchange();
    },
    /** Empties the folder and the tables of ACH, and moves the clock back to its start. */
    async reset(): Promise<void> {
      await db.run(
        raw('truncate ach_entry, ach_exception, ach_file, processor_inbox restart identity'),
      );
      await db.run(
        sql`update money_switch set stopped_at = null, stopped_by = null, reason = null`,
      );
      for (const name of await readdir(folder)) await rm(join(folder, name), { recursive: true });
      stage.clock.now = new Date(start);
      seen = 0;
    },
    async close() {
      await stage.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

export type AchStage = Awaited<ReturnType<typeof openAchStage>>;

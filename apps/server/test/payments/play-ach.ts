import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from '@svc/db';
import { oneRowOf } from '@svc/db/testing';
import type { StatementLine } from '../../src/domain/books/statement.ts';
import { nextBankingDay } from '../../src/domain/tenants/banking-days.ts';
import { addDays, localDate } from '../../src/domain/tenants/calendar.ts';
import { tick } from '../../src/jobs/tick.ts';
import { createAchProcessor } from '../../src/processors/ach/ach-processor.ts';
import { achTimeZone } from '../../src/processors/ach/banking-windows.ts';
import { achLane } from '../../src/processors/ach/exchange-files.ts';
import { isDebit, type NachaEntry } from '../../src/processors/ach/nacha.ts';
import { parseNacha } from '../../src/processors/ach/parse-nacha.ts';
import {
  answersOf,
  type BankAnswer,
  openAchBank,
} from '../../src/processors/ach/simulated-bank.ts';
import { achSettings } from '../support/ach-stage.ts';
import { openStage } from '../support/open-stage.ts';
import { openServiceDatabase } from '../support/service-database.ts';

const quiet = { info: () => {}, warn: () => {}, error: () => {} };
const dayMs = 86_400_000;
/** The cut-off, 17:00 in New York in winter. */
const cutOffHour = 22;

/**
 * Plays payments through ACH files, with a bank on the other side of the folder. The bank knows only the files, and
 * its statement is made from them.
 */
export async function playAch(now: string) {
  const folder = await mkdtemp(join(tmpdir(), 'svc-ach-books-'));
  const settings = achSettings(folder);
  const database = await openServiceDatabase();
  const time = { now: () => new Date(now) };
  const deps = {
    db: database.db,
    clock: { now: () => time.now() },
    environment: 'sandbox',
  } as const;
  const stage = await openStage({
    now,
    database,
    processor: () => createAchProcessor(settings, deps),
  });
  time.now = () => stage.clock.now;
  const bank = openAchBank(settings, time.now);
  const lines: StatementLine[] = [];
  const debits: NachaEntry[] = [];
  let answers: { readonly from: string; readonly answer: BankAnswer }[] = [];

  function book(bookedOn: string, amountInCents: number, reference: string): void {
    const line = { fileLine: 0, kind: 'entry', bookedOn, amountInCents, reference } as const;
    if (amountInCents !== 0) lines.push({ ...line, description: 'ACH' });
  }

  /** Collects the files at the cut-off, books each batch on its effective date, and sends the answers that are due. */
  async function runBank(): Promise<void> {
    const today = localDate(time.now(), achTimeZone);
    for (const name of await readdir(join(folder, 'outbox'))) {
      const { batches } = parseNacha(await readFile(join(folder, 'outbox', name)));
      for (const { effectiveOn, entries } of batches) {
        const sum = entries.reduce((total, it) => total + signed(it), 0);
        book(effectiveOn, sum, name);
        debits.push(...entries.filter((it) => isDebit(it.code)));
        answers.push(...answersOf(entries).map((answer) => ({ from: effectiveOn, answer })));
      }
    }
    await bank.collect();
    const due = answers.filter(({ from }) => from <= today).map(({ answer }) => answer);
    answers = answers.filter(({ from }) => from > today);
    await bank.send(due);
    // We read the file during the night, so the statement has its entries on the next banking day.
    const nextDay = nextBankingDay(addDays(today, 1));
    for (const { entry } of due) book(nextDay, -signed(entry), entry.trace);
  }

  async function runLanes(): Promise<void> {
    const { db, service } = stage;
    const clock = { now: time.now, after: () => () => {} };
    const deps = { db: db as typeof database.db, service, clock, log: quiet };
    await tick({ ...deps, ofProcessor: [achLane(deps, settings)] });
  }

  return {
    stage,
    settings,
    /** Moves wall time and runs everything that is due. It stops at each cut-off, where the bank handles the files. */
    async pass(ms: number): Promise<void> {
      const until = stage.clock.now.getTime() + ms;
      for (;;) {
        const at = stage.clock.now.getTime();
        const cutOff = nextCutOff(at);
        stage.clock.now = new Date(Math.min(cutOff, until));
        await runLanes();
        if (cutOff <= until) await runBank();
        if (cutOff >= until) return;
      }
    },
    /** The lines of the bank's statement from one day to another, both included. */
    booked: (from: string, to: string): readonly StatementLine[] =>
      lines.filter(({ bookedOn }) => from <= bookedOn && bookedOn <= to),
    /** The cents of debits that have settled and can still be returned. */
    async inFlight(): Promise<number> {
      const { cents } = await oneRowOf<{ cents: number }>(
        database.db,
        sql`
        select coalesce(sum(amount_in_cents), 0)::int8 as cents from ach_entry
        where kind = 'debit' and state = 'sent' and booked_at is not null`,
      );
      return cents;
    },
    /** Makes the tenant's bank return the first debit of an account at the next cut-off. */
    returnCharge(account: string, reason: string): void {
      const entry = debits.find((it) => it.accountNumber === account);
      if (!entry) throw new Error(`The account ${account} was not debited.`);
      answers.push({ from: '', answer: { entry, reason } });
    },
    async close(): Promise<void> {
      await stage.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function nextCutOff(at: number): number {
  const cutOff = new Date(at).setUTCHours(cutOffHour, 0, 0, 0);
  return cutOff > at ? cutOff : cutOff + dayMs;
}

/** Returns by how many cents the entry changes our account's balance. */
function signed({ code, amountInCents }: NachaEntry): number {
  return isDebit(code) ? amountInCents : -amountInCents;
}

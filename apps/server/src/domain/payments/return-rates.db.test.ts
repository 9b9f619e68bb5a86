import { bigint, instant, nullable, type RowOf, recordset, row, sql, text } from '@svc/db';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openStage, type Stage } from '../../../test/support/open-stage.ts';
import { newId } from '../../ids.ts';
import { bankTimeZone } from '../bank-time-zone.ts';
import { addDays, localDate } from '../tenants/calendar.ts';
import { nachaPeriod, readReturnRates } from './return-rates.ts';

let stage: Stage;
const portals: { readonly pms: string; readonly partnerId: string }[] = [];
const now = new Date('2026-03-20T15:00:00Z');
const hourMs = 3_600_000;

beforeAll(async () => {
  stage = await openStage({ now: now.toISOString() });
  // Rates need no plans and payments, only calls and events.
  await stage.plain.run(
    sql`alter table processor_event drop constraint processor_event_partner_id_payment_id_fkey`,
  );
  for (let made = 0; made < 2; made += 1) {
    const { partnerId, pms } = await stage.newPartner();
    portals.push({ partnerId, pms });
    await stage.plain.run(sql`
      insert into tenant (id, partner_id, external_id, created_at, updated_at)
      values ('ten_1', ${partnerId}, 't', ${now}, ${now})`);
    await stage.plain.run(sql`
      insert into payment_method (id, partner_id, tenant_id, type, brand, last4, details_sealed,
        created_at)
      values ('pmt_bank', ${partnerId}, 'ten_1', 'bank_account', null, '0000', '', ${now}),
        ('pmt_card', ${partnerId}, 'ten_1', 'card', 'visa', '0000', '', ${now})`);
  }
});
afterAll(() => stage.close());

const codes = ['R01', 'R02', 'R03', 'R05', 'R10', 'R11', 'R29', 'R51', 'R97'];

/** Hours before now. 150 days reach beyond every period of the tests. */
const hoursAgo = fc.integer({ min: 0, max: 150 * 24 });

const debit = fc.record({
  portal: fc.integer({ min: 0, max: 1 }),
  methodId: fc.constantFrom('pmt_bank', 'pmt_bank', 'pmt_bank', 'pmt_card'),
  state: fc.constantFrom('created', 'sent', 'processing', 'unknown', 'succeeded', 'failed'),
  failedWith: fc.constantFrom(...codes, 'canceled', 'insufficient_funds'),
  sentHoursAgo: hoursAgo,
  answeredAfterHours: fc.integer({ min: 1, max: 10 * 24 }),
  takenBack: fc.array(
    fc.record({ code: fc.constantFrom(...codes, 'charged_back'), afterHours: hoursAgo }),
    { maxLength: 2 },
  ),
});
type Debit = typeof debit extends fc.Arbitrary<infer T> ? T : never;

test('the rates equal a recount of single debits', async () => {
  const usual = nachaPeriod(now);
  expect(usual).toEqual({ from: '2026-01-20', to: '2026-03-20' });
  const year = { from: '2026-01-01', to: '2026-03-20', byMonth: true };
  await fc.assert(
    fc.asyncProperty(fc.array(debit, { minLength: 1, maxLength: 60 }), async (debits) => {
      await store(debits);
      for (const wanted of [usual, year]) {
        const rates = await readReturnRates(stage.plain, wanted);
        const found = rates.filter((it) => it.debits + it.returned > 0);
        expect(found.map((it) => [it.pms, it.month, it.category, it.debits, it.returned])).toEqual(
          recount(debits, wanted),
        );
      }
    }),
    { numRuns: 40 },
  );
});

test('a rate is over its limit only above it, and one portal can be read alone', async () => {
  const paid: Debit = {
    portal: 0,
    methodId: 'pmt_bank',
    state: 'succeeded',
    failedWith: 'R01',
    sentHoursAgo: 100,
    answeredAfterHours: 1,
    takenBack: [],
  };
  const returned: Debit = { ...paid, takenBack: [{ code: 'R10', afterHours: 24 }] };
  const { pms = '' } = portals[0] ?? {};
  const unauthorized = async () => {
    const rates = await readReturnRates(stage.plain, { ...nachaPeriod(now), pms });
    return rates.find((it) => it.category === 'unauthorized');
  };
  await store([...Array.from({ length: 199 }, () => paid), returned]);
  const of = { pms, month: null, category: 'unauthorized', debits: 200, limit: 0.005 };
  expect(await unauthorized()).toEqual({ ...of, returned: 1, rate: 0.005, is_over: false });
  await store([...Array.from({ length: 198 }, () => paid), returned, returned]);
  expect(await unauthorized()).toEqual({ ...of, returned: 2, rate: 0.01, is_over: true });
  await store([]);
  expect(await unauthorized()).toEqual({
    ...of,
    debits: 0,
    returned: 0,
    rate: null,
    is_over: false,
  });
  await expect(
    readReturnRates(stage.plain, { ...nachaPeriod(now), pms: 'nowhere' }),
  ).rejects.toThrow('There is no partner nowhere.');
});

/**
 * Counts the report's lines again: portal, month, category, debits and returns, in the report's order, without empty
 * lines.
 */
function recount(
  debits: readonly Debit[],
  { from, to, byMonth = false }: Parameters<typeof readReturnRates>[1],
) {
  const categories: [string, (code: string) => boolean][] = [
    ['unauthorized', (code) => ['R05', 'R07', 'R10', 'R11', 'R29', 'R51'].includes(code)],
    ['administrative', (code) => ['R02', 'R03', 'R04'].includes(code)],
    ['overall', () => true],
  ];
  const dayOf = (at: Date) => localDate(at, bankTimeZone);
  const months = new Set<string>();
  for (let day = from; day <= to; day = addDays(day, 1)) months.add(day.slice(0, 7));
  const isIn = (at: Date, month: string | null) =>
    dayOf(at) >= from && dayOf(at) <= to && (month === null || dayOf(at).startsWith(month));
  const lines = [];
  const names = portals.map(({ pms }) => pms).sort();
  for (const pms of [null, ...names]) {
    for (const month of byMonth ? months : [null]) {
      const some = debits.filter(
        (it) =>
          it.methodId === 'pmt_bank' &&
          (pms === null || portals[it.portal]?.pms === pms) &&
          wasSent(it),
      );
      const sent = some.filter((it) => isIn(timesOf(it).sentAt, month)).length;
      const returns = some.flatMap(returnOf).filter(({ at }) => isIn(at, month));
      for (const [category, counts] of categories) {
        const returned = returns.filter(({ code }) => counts(code)).length;
        if (sent + returned > 0) lines.push([pms, month, category, sent, returned]);
      }
    }
  }
  return lines;
}

const isReturnCode = (code: string) => /^R\d\d$/.test(code);

function wasSent({ state, failedWith }: Debit): boolean {
  return (
    ['processing', 'succeeded'].includes(state) || (state === 'failed' && isReturnCode(failedWith))
  );
}

function timesOf({ sentHoursAgo, answeredAfterHours }: Debit) {
  const sentAt = new Date(now.getTime() - sentHoursAgo * hourMs);
  return { sentAt, answeredAt: new Date(sentAt.getTime() + answeredAfterHours * hourMs) };
}

/** The first return of a debit, or none. */
function returnOf(it: Debit): { code: string; at: Date }[] {
  const { sentAt, answeredAt } = timesOf(it);
  if (it.state === 'failed') return [{ code: it.failedWith, at: answeredAt }];
  const back = it.takenBack
    .filter(({ code }) => isReturnCode(code))
    .map(({ code, afterHours }) => ({
      code,
      at: new Date(sentAt.getTime() + afterHours * hourMs),
    }));
  back.sort((a, b) => a.at.getTime() - b.at.getTime());
  return back.slice(0, 1);
}

const callRow = row('call to store', {
  partnerId: text,
  key: text,
  methodId: text,
  state: text,
  returnCode: nullable(text),
  createdAt: instant,
  updatedAt: instant,
});
const eventRow = row('event to store', {
  partnerId: text,
  id: text,
  paymentId: text,
  returnCode: text,
  amountInCents: bigint,
  createdAt: instant,
});

async function store(debits: readonly Debit[]): Promise<void> {
  const calls: RowOf<typeof callRow>[] = [];
  const events: RowOf<typeof eventRow>[] = [];
  for (const it of debits) {
    const { partnerId = '' } = portals[it.portal] ?? {};
    const { sentAt, answeredAt } = timesOf(it);
    const key = newId('pay', sentAt);
    const { methodId, state } = it;
    const returnCode = state === 'failed' ? it.failedWith : null;
    calls.push({
      partnerId,
      key,
      methodId,
      state,
      returnCode,
      createdAt: sentAt,
      updatedAt: answeredAt,
    });
    // The database does not keep the events of a debit that was not sent.
    if (!wasSent(it)) continue;
    for (const { code, afterHours } of it.takenBack) {
      const createdAt = new Date(sentAt.getTime() + afterHours * hourMs);
      const id = newId('pev', createdAt);
      events.push({
        partnerId,
        id,
        paymentId: key,
        returnCode: code,
        amountInCents: 1,
        createdAt,
      });
    }
  }
  await stage.plain.run(sql`delete from processor_event`);
  await stage.plain.run(sql`delete from processor_call`);
  await stage.plain.run(sql`
    insert into processor_call (partner_id, key, tenant_id, kind, processor, payment_id,
      payment_method_id, source_id, amount_in_cents, occasion, state, return_code, check_at,
      created_at, updated_at)
    select c.partner_id, c.key, 'ten_1', 'charge', 'simulator', c.key, c.method_id, c.key, 1, 'scheduled',
      c.state, c.return_code, case when c.state not in ('succeeded', 'failed') then c.created_at end,
      c.created_at, c.updated_at
    from ${recordset(callRow, calls, 'c')}`);
  await stage.plain.run(sql`
    insert into processor_event (partner_id, id, tenant_id, payment_id, kind, return_code,
      amount_in_cents, occurs_at, created_at)
    select e.partner_id, e.id, 'ten_1', e.payment_id, 'taken_back', e.return_code, e.amount_in_cents,
      e.created_at, e.created_at
    from ${recordset(eventRow, events, 'e')}`);
}

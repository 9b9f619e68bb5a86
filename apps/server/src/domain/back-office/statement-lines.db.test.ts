import { afterEach, beforeEach, expect, test } from 'vitest';
import { booksStage } from '../../../test/support/books-stage.ts';
import { openStage, type Stage } from '../../../test/support/open-stage.ts';
import type { OperatorActor } from '../access/actor.ts';
import { reconcile } from '../books/close-day.ts';
import { readBooksDays } from './books-days.ts';
import { readStatementLines } from './money-reports.ts';

let stage: Stage;
beforeEach(async () => {
  stage = await openStage({ now: '2026-03-04T15:00:00Z' });
});
afterEach(() => stage.close());

const actor: OperatorActor = {
  kind: 'operator',
  operatorId: 'opr_1',
  name: 'Olga Reyes',
  role: 'finance',
  partners: null,
  sessionId: 'ops_1',
  expiresAt: new Date('2026-03-04T16:00:00Z'),
  provenAt: null,
  isEnrolling: false,
};

test('a line shows what it is matched with and why, and an open one what it may belong to', async () => {
  const books = booksStage(stage);
  const { partnerId } = await stage.newPartner();
  await books.addBank('bank');
  await books.postEntry(partnerId, ['R1', 500]);
  const other = await books.postEntry(partnerId, ['R2', -700]);
  await books.load(
    'bank',
    books.statementOf('bank', '2026-03-02', [
      ['R1', 500],
      ['R9', -800],
      ['R2', -701],
    ]),
  );
  await books.run(reconcile);
  const { items } = await books.run((ctx) =>
    readStatementLines({ ...ctx, actor }, { bank: 'bank', day: '2026-03-02' }),
  );
  expect(items).toMatchObject([
    {
      reference: 'R1',
      amount_in_cents: 500,
      match: { rule: 'reference', items: [{ reference: 'R1', amount_in_cents: 500 }] },
      candidates: [],
    },
    { reference: 'R9', match: null, candidates: [] },
    {
      reference: 'R2',
      match: null,
      candidates: [{ item: `${other}/cash`, amount_in_cents: -700, day: '2026-03-02' }],
    },
  ]);
  const days = await books.run((ctx) => readBooksDays({ ...ctx, actor }));
  expect(days.accounts).toMatchObject([{ name: 'bank', last_day: '2026-03-02', open_lines: 2 }]);
  expect(days.days.slice(0, 3)).toEqual([
    { day: '2026-03-04', state: 'not_ended', closed_at: null, unmatched: 0, missing: ['bank'] },
    { day: '2026-03-03', state: 'missing', closed_at: null, unmatched: 0, missing: ['bank'] },
    { day: '2026-03-02', state: 'ready', closed_at: null, unmatched: 3, missing: [] },
  ]);
});

import type { Queryable, Sql, Tx } from '@svc/db';
import { sql } from '@svc/db';
import { expect, test } from 'vitest';
import { shared, together } from './together.ts';

/** A transaction that notes what it is asked. */
function openTx() {
  const asked: string[] = [];
  const answer = async ({ text, values }: Sql): Promise<never[]> => {
    asked.push([text, ...values].join(' '));
    await new Promise((done) => setImmediate(done));
    return [];
  };
  const queryable = { many: answer, run: answer, maybe: answer, one: answer } as never as Queryable;
  const tx: Tx = { ...queryable, inTransaction: true, alone: queryable };
  return { tx, asked };
}

type InTx = { readonly tx: Tx };

const double = shared(async ({ tx }: InTx, numbers: readonly number[]) => {
  await tx.run(sql`double ${numbers.join()}`);
  return numbers.map((it) => it * 2);
});

const write = shared(async ({ tx }: InTx, words: readonly string[]) => {
  await tx.run(sql`write ${words.join()}`);
});

test('who asks at the same time shares a statement, and gets the own answer', async () => {
  const { tx, asked } = openTx();
  const results = await together(tx, [1, 2, 3], async (tx, number) => {
    const twice = await double({ tx }, number);
    await write({ tx }, `${number}`);
    return double({ tx }, twice);
  });
  expect(results).toEqual([4, 8, 12]);
  expect(asked).toEqual(['double $1 1,2,3', 'write $1 1,2,3', 'double $1 2,4,6']);
});

test('each goes its own way in its own order; what nobody shares is asked alone', async () => {
  const { tx, asked } = openTx();
  await together(tx, ['a', 'b'], async (tx, word) => {
    if (word === 'a') await tx.run(sql`only a`);
    await write({ tx }, word);
    await write({ tx }, `${word}2`);
  });
  expect(asked).toEqual(['only a', 'write $1 b,a', 'write $1 b2,a2']);
});

test('alone it is a statement for one', async () => {
  const { tx, asked } = openTx();
  expect(await double({ tx }, 21)).toBe(42);
  expect(asked).toEqual(['double $1 21']);
});

test('a failure is heard by all who shared the statement, once nobody still runs', async () => {
  const { tx } = openTx();
  const fail = shared(async (_: InTx, inputs: readonly number[]) => {
    throw new Error(`refused ${inputs.join()}`);
  });
  let ended = 0;
  const run = together(tx, [1, 2, 3], async (tx, number) => {
    try {
      if (number < 3) await fail({ tx }, number);
      else for (let turn = 0; turn < 9; turn += 1) await double({ tx }, turn);
    } finally {
      ended += 1;
    }
  });
  await expect(run).rejects.toThrow('refused 1,2');
  expect(ended).toBe(3);
});

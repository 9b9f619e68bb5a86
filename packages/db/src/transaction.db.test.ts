import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { CommitUnknown, type Database, raw, type Sql, sql, sqlState, type Tx } from './index.ts';
import { oneRowOf, rowsOf } from './testing/read-rows.ts';
import { openTestDatabase, type TestDatabase, testKind } from './testing.ts';

let opened: TestDatabase;
let db: Database;
beforeAll(async () => {
  opened = await openTestDatabase();
  db = opened.db;
  await db.run(raw('create table account (id int primary key, cents int not null)'));
});
beforeEach(async () => {
  await db.run(sql`truncate account`);
  await db.run(sql`insert into account values (1, 100), (2, 100)`);
});
afterAll(() => opened.close());

const cents = async (id: number) =>
  (await oneRowOf<{ cents: number }>(db, sql`select cents from account where id = ${id}`)).cents;

test('commits and returns the result of the work', async () => {
  const answer = await db.transaction(async (tx) => {
    await tx.run(sql`update account set cents = 70 where id = 1`);
    return oneRowOf(tx, sql`select cents from account where id = 1`);
  });
  expect(answer).toEqual({ cents: 70 });
  expect(await cents(1)).toBe(70);
});

test('rolls back if the work throws, and rethrows the error', async () => {
  const refusal = new Error('not today');
  const work = db.transaction(async (tx) => {
    await tx.run(sql`update account set cents = 0`);
    throw refusal;
  });
  await expect(work).rejects.toBe(refusal);
  expect(await cents(1)).toBe(100);
});

test('a commit fails with the error of a statement that the work swallowed', async () => {
  const work = db.transaction(async (tx) => {
    await tx.run(sql`update account set cents = 0 where id = 2`);
    await tx.run(sql`insert into account values (1, 1)`).catch(() => undefined);
  });
  expect(sqlState(await work.catch((error: unknown) => error))).toBe('23505');
  expect(await cents(2)).toBe(100);
});

test('concurrent statements run in the order of the calls', async () => {
  const [, seen, rows] = await db.transaction((tx) =>
    Promise.all([
      tx.run(sql`update account set cents = cents * 2 where id = ${1}`),
      oneRowOf(tx, sql`select cents from account where id = ${1}`),
      tx.run(sql`update account set cents = cents + 1`),
    ]),
  );
  expect([seen, rows]).toEqual([{ cents: 200 }, 2]);
  expect(await cents(1)).toBe(201);
});

test('of concurrent statements the first error is thrown, and nothing is committed', async () => {
  const work = db.transaction((tx) =>
    Promise.all([
      tx.run(sql`update account set cents = 0`),
      tx.run(sql`insert into account values (1, ${1})`),
      tx.run(sql`update account set cents = ${5}`),
      tx.run(sql`update account set cents = 6`),
    ]),
  );
  expect(sqlState(await work.catch((error: unknown) => error))).toBe('23505');
  expect([await cents(1), await cents(2)]).toEqual([100, 100]);
});

test('the first error is thrown even if the caller sees a later one first', async () => {
  const work = db.transaction(async (tx) => {
    const failing = tx.run(sql`select 1 / (cents - ${100}) from account`);
    // As if it passed through several functions: the caller sees this error after the next statement's.
    const late = failing.catch(async (error: unknown) => {
      await new Promise((resolve) => setImmediate(resolve));
      throw error;
    });
    await Promise.all([late, tx.run(sql`update account set cents = ${0}`)]);
  });
  expect(sqlState(await work.catch((error: unknown) => error))).toBe('22012');
});

test('a statement in flight when the work throws is rolled back', async () => {
  let late: Promise<unknown> = Promise.resolve();
  const work = db.transaction(async (tx) => {
    late = Promise.all([
      tx.run(sql`update account set cents = 1`),
      tx.run(sql`update account set cents = ${2}`),
    ]);
    throw new Error('not today');
  });
  await expect(work).rejects.toThrow('not today');
  await late;
  expect([await cents(1), await cents(2)]).toEqual([100, 100]);
});

test('a `tx` cannot be used after its transaction', async () => {
  const kept = await db.transaction(async (tx) => tx);
  await expect(kept.run(sql`update account set cents = 0`)).rejects.toThrow('is over');
  expect(await cents(1)).toBe(100);
});

test('a deferred constraint that fails at COMMIT is thrown as its error, not as CommitUnknown', async () => {
  await db.run(sql`update account set cents = id`);
  await db.run(
    raw('alter table account add constraint twice unique (cents) deferrable initially deferred'),
  );
  const work = db.transaction((tx) => tx.run(sql`update account set cents = 5`));
  expect(sqlState(await work.catch((error: unknown) => error))).toBe('23505');
  expect(await cents(1)).toBe(1);
  await db.run(raw('alter table account drop constraint twice'));
});

test('is retried as a whole after a serialization failure, at most five times', async () => {
  let attempts = 0;
  const fail = raw(`do $$ begin raise exception 'again' using errcode = '40001'; end $$`);
  const failing = db.transaction(async (tx) => {
    attempts += 1;
    await tx.run(fail);
  });
  expect(sqlState(await failing.catch((error: unknown) => error))).toBe('40001');
  expect(attempts).toBe(6);

  attempts = 0;
  await db.transaction(async (tx) => {
    attempts += 1;
    await tx.run(sql`update account set cents = cents + 1 where id = 1`);
    if (attempts < 3) await tx.run(fail);
  });
  expect(attempts).toBe(3);
  expect(await cents(1)).toBe(101);
});

test.skipIf(testKind() === 'pglite')('two transactions in a deadlock both succeed', async () => {
  const both = barrier(2);
  const move = (from: number, to: number) => {
    let first = true;
    return db.transaction(async (tx) => {
      await tx.run(sql`update account set cents = cents - 10 where id = ${from}`);
      if (first) await both();
      first = false;
      await tx.run(sql`update account set cents = cents + 10 where id = ${to}`);
    });
  };
  await Promise.all([move(1, 2), move(2, 1)]);
  expect([await cents(1), await cents(2)]).toEqual([100, 100]);
});

test.skipIf(testKind() === 'pglite')(
  'a connection that breaks during COMMIT throws CommitUnknown, and the next one works',
  async () => {
    await db.run(
      raw(`
      create function hang_up() returns trigger language plpgsql as
        'begin perform pg_terminate_backend(pg_backend_pid()); return null; end';
      create constraint trigger at_commit after update on account
        deferrable initially deferred for each row execute function hang_up()`),
    );
    const work = db.transaction((tx) => tx.run(sql`update account set cents = 0 where id = 1`));
    await expect(work).rejects.toThrow(CommitUnknown);
    await db.run(raw('drop trigger at_commit on account'));
    expect(await cents(1)).toBe(100);
  },
);

test.skipIf(testKind() === 'pglite')(
  'a connection that dies in a transaction is replaced',
  async () => {
    const work = db.transaction(async (tx) => {
      await tx.run(sql`update account set cents = 0`);
      await tx.run(sql`select pg_terminate_backend(pg_backend_pid())`);
    });
    expect(sqlState(await work.catch((error: unknown) => error))).toBe('57P01');
    expect(await Promise.all([cents(1), cents(2)])).toEqual([100, 100]);
  },
);

function barrier(parties: number): () => Promise<void> {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  let waiting = 0;
  return () => {
    waiting += 1;
    if (waiting === parties) open();
    return opened;
  };
}

describe('tx.send', () => {
  test('sends a write that is committed with the others, in the order of the calls', async () => {
    const seen = await db.transaction(async (tx) => {
      tx.send(sql`update account set cents = cents * 2 where id = ${1}`);
      const row = await oneRowOf(tx, sql`select cents from account where id = ${1}`);
      tx.send(sql`update account set cents = cents + 1`);
      return row;
    });
    expect(seen).toEqual({ cents: 200 });
    expect([await cents(1), await cents(2)]).toEqual([201, 101]);
  });

  test('begins the transaction', async () => {
    const work = db.transaction(async (tx) => {
      tx.send(sql`update account set cents = 0`);
      await tx.alone.run(sql`update account set cents = 1`);
      throw new Error('not today');
    });
    await expect(work).rejects.toThrow('not today');
    expect(await cents(1)).toBe(100);
  });

  test.each([
    ['is the last', async () => undefined],
    ['is followed by another that succeeds', async (tx: Tx) => tx.send(sql`select 1`)],
    ['is followed by a read', (tx: Tx) => tx.run(sql`select 1`)],
    [
      'is followed by reads together',
      (tx: Tx) => Promise.all([tx.run(raw('select 1')), tx.run(raw('select 2'))]),
    ],
    [
      'is followed by an error that the work swallows',
      (tx: Tx) => tx.run(raw('select 1')).catch(() => undefined),
    ],
  ])('a failed write that %s rolls everything back and rejects with its error', async (_, then) => {
    const work = db.transaction(async (tx) => {
      await tx.run(sql`update account set cents = 0`);
      tx.send(sql`insert into account values (3, 3)`);
      tx.send(sql`insert into account values (1, ${1})`);
      tx.send(sql`insert into account values (4, 4)`);
      await then(tx);
    });
    expect(sqlState(await work.catch((error: unknown) => error))).toBe('23505');
    expect(await rowsOf(db, sql`select id, cents from account order by id`)).toEqual([
      { id: 1, cents: 100 },
      { id: 2, cents: 100 },
    ]);
  });

  test('a serialization failure of a sent write runs the work again', async () => {
    let attempts = 0;
    await db.transaction(async (tx) => {
      attempts += 1;
      tx.send(sql`update account set cents = cents + 1 where id = 1`);
      if (attempts < 3) {
        tx.send(raw(`do $$ begin raise exception 'again' using errcode = '40001'; end $$`));
      }
    });
    expect(attempts).toBe(3);
    expect(await cents(1)).toBe(101);
  });

  test('is rolled back if the work throws', async () => {
    const work = db.transaction(async (tx) => {
      tx.send(sql`update account set cents = 0`);
      throw new Error('not today');
    });
    await expect(work).rejects.toThrow('not today');
    expect(await cents(1)).toBe(100);
  });

  test('throws after the transaction, and for anything but a statement', async () => {
    const kept = await db.transaction(async (tx) => tx);
    expect(() => kept.send(sql`update account set cents = 0`)).toThrow('is over');
    const forged = JSON.parse('{"text":"select 1","values":[]}') as Sql;
    await expect(db.transaction(async (tx) => tx.send(forged))).rejects.toThrow(TypeError);
  });

  test.skipIf(testKind() === 'pglite')(
    'a connection that dies before COMMIT is sent throws its error, and nothing is committed',
    async () => {
      const work = db.transaction(async (tx) => {
        tx.send(sql`update account set cents = 0`);
        tx.send(sql`select pg_terminate_backend(pg_backend_pid())`);
        await tx.run(sql`update account set cents = 1`).catch(() => undefined);
      });
      expect(sqlState(await work.catch((error: unknown) => error))).toBe('57P01');
      expect(await cents(1)).toBe(100);
    },
  );
});

describe('tx.alone', () => {
  const backend = sql`select pg_current_xact_id()::text as id`;

  test('commits separately before BEGIN, and belongs to the transaction after it', async () => {
    const work = db.transaction(async (tx) => {
      const first = await oneRowOf(tx.alone, backend);
      expect(await oneRowOf(tx.alone, backend)).not.toEqual(first);
      await tx.alone.run(sql`update account set cents = 90 where id = ${1}`);
      await tx.run(sql`update account set cents = 80 where id = ${1}`);
      expect(await oneRowOf(tx.alone, backend)).toEqual(await oneRowOf(tx, backend));
      await tx.alone.run(sql`update account set cents = 70 where id = ${1}`);
      throw new Error('not today');
    });
    await expect(work).rejects.toThrow('not today');
    expect(await cents(1)).toBe(90);
  });

  test('begins no transaction if nothing else is called', async () => {
    await db.transaction((tx) => tx.alone.run(sql`update account set cents = ${60}`));
    expect(await cents(2)).toBe(60);
    const failed = db.transaction((tx) => tx.alone.run(sql`select 1 / (${0}::int)`));
    expect(sqlState(await failed.catch((e: unknown) => e))).toBe('22012');
    expect(await oneRowOf(db, backend)).not.toEqual(await oneRowOf(db, backend));
  });

  test('an error before BEGIN that the work swallowed does not keep the rest from being committed', async () => {
    await db.transaction(async (tx) => {
      await tx.alone.run(sql`select 1 / (${0}::int)`).catch(() => undefined);
      tx.send(sql`update account set cents = 50 where id = 1`);
    });
    expect(await cents(1)).toBe(50);
  });

  test('uses the limits of its transaction', async () => {
    const shown = await db.transaction(
      (tx) => oneRowOf(tx.alone, sql`select current_setting('statement_timeout') as value`),
      { timeoutMs: 61_000 },
    );
    expect(shown).toEqual({ value: '61s' });
  });
});

test('parsed JSON in the shape of a statement is refused', async () => {
  const forged = JSON.parse('{"text":"select 1","values":[]}') as Sql;
  await expect(rowsOf(db, forged)).rejects.toThrow('Pass a statement made by the `sql` tag.');
  await expect(db.transaction((tx) => rowsOf(tx, forged))).rejects.toThrow(TypeError);
});

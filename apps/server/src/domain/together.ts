import { setImmediate as turnOfLoop } from 'node:timers/promises';
import { raw, type Sql, type Tx } from '@svc/db';

type Ask<C, I, O> = (ctx: C, inputs: readonly I[]) => Promise<readonly O[]> | Promise<void>;

/**
 * A statement that serves many as it serves one. Who asks inside of `together` shares it with all
 * who ask at that time; elsewhere it runs for its one caller. Answers come in the order of inputs.
 */
export function shared<C extends { readonly tx: Tx }, I, O>(
  ask: Ask<C, I, O>,
): (ctx: C, input: I) => Promise<O> {
  return async (ctx, input) => {
    const join = crowds.get(ctx.tx);
    if (join) return (await join(ask as Ask<never, unknown, unknown>, ctx, input)) as O;
    const outputs = await ask(ctx, [input]);
    return outputs?.[0] as O;
  };
}

/**
 * Ends a set made of JSON. The planner takes each for a hundred rows, and to find those it may read
 * a whole table: it is told of a single one.
 */
export function asFew(rows: readonly unknown[]): Sql {
  return raw(rows.length === 1 ? 'limit 1' : '');
}

/**
 * Does the same for many in one transaction, side by side: each in its own order, the statements
 * of all of them in few. The first that fails fails the transaction, once none still runs.
 */
export async function together<T, O>(
  tx: Tx,
  whom: readonly T[],
  work: (tx: Tx, one: T) => Promise<O>,
): Promise<O[]> {
  const crowd = { ...tx };
  crowds.set(crowd, createJoin());
  const ends = await Promise.allSettled(whom.map((one) => work(crowd, one)));
  return ends.map((end) => {
    if (end.status === 'rejected') throw end.reason;
    return end.value;
  });
}

type Join = (ask: Ask<never, unknown, unknown>, ctx: unknown, input: unknown) => Promise<unknown>;

const crowds = new WeakMap<Tx, Join>();

interface Group {
  readonly ctx: unknown;
  readonly waiting: {
    readonly input: unknown;
    readonly done: (output: unknown) => void;
    readonly failed: (error: unknown) => void;
  }[];
}

function createJoin(): Join {
  const groups = new Map<Ask<never, unknown, unknown>, Group>();
  let serving = false;

  /** One group after the other, each when all who can go on have asked for what they need next. */
  async function serve(): Promise<void> {
    serving = true;
    for (;;) {
      await turnOfLoop();
      const [oldest] = groups;
      if (!oldest) break;
      const [ask, { ctx, waiting }] = oldest;
      groups.delete(ask);
      try {
        const outputs = await ask(
          ctx as never,
          waiting.map((it) => it.input),
        );
        for (const [index, it] of waiting.entries()) it.done(outputs?.[index]);
      } catch (error) {
        for (const it of waiting) it.failed(error);
      }
    }
    serving = false;
  }

  return (ask, ctx, input) =>
    new Promise((done, failed) => {
      const group = groups.get(ask) ?? { ctx, waiting: [] };
      group.waiting.push({ input, done, failed });
      groups.set(ask, group);
      if (!serving) void serve();
    });
}

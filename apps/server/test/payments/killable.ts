import type { Database, Queryable, Tx } from '@svc/db';
import type { Processor } from '../../src/domain/payments/processor.ts';
import type { PayoutRail } from '../../src/domain/payouts/rail.ts';

/** The error that ends a process for the code under test. Nothing after it is done. */
export class Killed extends Error {
  override readonly name = 'Killed';
}

/**
 * Ends the process at a chosen point: before a statement, before or after a commit, or before or after
 * a call to the processor. From then on everything fails, until `revive`.
 */
export function createKiller() {
  let passed = 0;
  let killAt = Number.POSITIVE_INFINITY;
  let isDead = false;

  function passPoint(): void {
    passed += 1;
    if (passed >= killAt) isDead = true;
    if (isDead) throw new Killed(`killed at point ${killAt}`);
  }

  async function around<T>(work: () => Promise<T>): Promise<T> {
    passPoint();
    const result = await work();
    passPoint();
    return result;
  }

  function before(q: Queryable): Queryable {
    const checked =
      <Args extends unknown[]>(run: (...args: Args) => Promise<unknown>) =>
      async (...args: Args) => {
        passPoint();
        return run(...args);
      };
    return {
      cluster: q.cluster,
      many: checked(q.many),
      one: checked(q.one),
      maybe: checked(q.maybe),
      run: checked(q.run),
    } as Queryable;
  }

  return {
    /** Kills at the nth point from now. */
    arm(point: number): void {
      passed = 0;
      killAt = point;
    },
    /** Starts a new process. Returns whether the old one was killed. */
    revive(): boolean {
      const wasDead = isDead;
      isDead = false;
      killAt = Number.POSITIVE_INFINITY;
      return wasDead;
    },
    database(db: Database): Database {
      return {
        ...db,
        ...before(db),
        transaction: (work, options) =>
          around(() =>
            db.transaction(async (tx) => {
              const within: Tx = {
                ...tx,
                ...before(tx),
                alone: before(tx.alone),
                send(statement) {
                  passPoint();
                  tx.send(statement);
                },
              };
              const result = await work(within);
              // Before the commit.
              passPoint();
              return result;
            }, options),
          ),
      };
    },
    rail(rail: PayoutRail): PayoutRail {
      return {
        ...rail,
        send: (order) => around(() => rail.send(order)),
        find: (key) => around(() => rail.find(key)),
      };
    },
    processor(processor: Processor): Processor {
      return {
        ...processor,
        charge: (request) => around(() => processor.charge(request)),
        refund: (request) => around(() => processor.refund(request)),
        cancel: (charge, payer) => around(() => processor.cancel(charge, payer)),
        find: (call, payer) => around(() => processor.find(call, payer)),
      };
    },
  };
}

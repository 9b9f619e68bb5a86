import type { Database, Queryable, Sql, Tx } from '@svc/db';

type Transaction = readonly Sql[];

/** Wraps a database so that every statement is recorded, grouped by transaction. */
export function recordStatements(db: Database): { db: Database; transactions: Transaction[] } {
  const transactions: Sql[][] = [];
  const recording = (q: Queryable, currentStatements: () => Sql[]): Queryable => {
    // The last argument is the statement, with or without a declared row before it.
    const recordedCall =
      <Args extends unknown[]>(run: (...args: Args) => Promise<unknown>) =>
      (...args: Args) => {
        currentStatements().push(args.at(-1) as Sql);
        return run(...args);
      };
    return {
      cluster: q.cluster,
      many: recordedCall(q.many),
      one: recordedCall(q.one),
      maybe: recordedCall(q.maybe),
      run: recordedCall(q.run),
    } as Queryable;
  };
  const startTransaction = () => {
    const statements: Sql[] = [];
    transactions.push(statements);
    return statements;
  };
  return {
    transactions,
    db: {
      ...db,
      ...recording(db, startTransaction),
      transaction: (work, options) =>
        db.transaction((tx) => {
          const statements = startTransaction();
          const within = recording(tx, () => statements);
          const recorded: Tx = {
            ...within,
            inTransaction: true,
            alone: within,
            send(statement) {
              statements.push(statement);
              tx.send(statement);
            },
          };
          return work(recorded);
        }, options),
    },
  };
}

/** Runs the recorded statements with the same values and nothing in between. */
export async function replay(db: Database, transactions: readonly Transaction[]): Promise<void> {
  for (const statements of transactions) {
    await db.transaction(async (tx) => {
      for (const statement of statements) await tx.run(statement);
    });
  }
}

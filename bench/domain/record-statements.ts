import type { Database, Queryable, Sql, Tx } from '@svc/db';

export type Transaction = readonly Sql[];

/** Wraps a database so that every statement is recorded, grouped by transaction. */
export function recordStatements(db: Database): { db: Database; transactions: Transaction[] } {
  const transactions: Sql[][] = [];
  const recording = (q: Queryable, into: () => Sql[]): Queryable => {
    const record = (statement: Sql) => {
      into().push(statement);
      return statement;
    };
    return {
      many: (statement) => q.many(record(statement)),
      one: (statement) => q.one(record(statement)),
      maybe: (statement) => q.maybe(record(statement)),
      run: (statement) => q.run(record(statement)),
    };
  };
  const alone = () => {
    const statements: Sql[] = [];
    transactions.push(statements);
    return statements;
  };
  return {
    transactions,
    db: {
      ...db,
      ...recording(db, alone),
      transaction: (work, options) =>
        db.transaction((tx) => {
          const statements = alone();
          const within = recording(tx, () => statements);
          const recorded: Tx = { ...within, inTransaction: true, alone: within };
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

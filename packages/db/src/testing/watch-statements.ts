import pg from 'pg';

/** A statement of the code under test, with the values it ran with. */
export interface Ran {
  readonly text: string;
  readonly values: readonly unknown[];
}

type Report = (database: string, statement: Ran) => void;

let reports: Report | undefined;

/** Reports each statement that this process sends to a PostgreSQL server, with the name of its database. */
export function watchStatements(sent: Report): void {
  const isWatching = reports !== undefined;
  reports = sent;
  if (isWatching) return;
  const prototype = pg.Client.prototype as unknown as {
    query(this: pg.Client, ...args: unknown[]): unknown;
  };
  const { query } = prototype;
  prototype.query = function (...args) {
    const [first, second] = args;
    const { text, values = [] } =
      typeof first === 'string' ? { text: first, values: second } : (first as pg.QueryConfig);
    reports?.(this.database ?? '', { text, values: Array.isArray(values) ? values : [] });
    return query.apply(this, args);
  };
}

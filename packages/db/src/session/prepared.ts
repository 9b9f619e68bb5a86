import type pg from 'pg';

/** A statement gets a name when one connection sends it for the third time. */
const REPEATS = 3;
// Limits the server's memory for plans. Further statements are sent without a name.
const MOST_NAMES = 300;

/**
 * A marker in the text of a statement that is planned each time. It is for tables that are empty at one moment and
 * hold a backlog at the next. A plan that was made for the empty table reads all of it for every row of the
 * statement: 256 successes among 10,000 open deliveries took 925 instead of 4 ms, until the connection was replaced.
 * Planning takes about half a millisecond.
 */
export const plannedEachTime = '/* planned each time */';

interface Statement {
  uses: number;
  /** Undefined for a statement that is planned each time. */
  readonly name: string | undefined;
}

const connections = new WeakMap<pg.PoolClient, { texts: Map<string, Statement>; names: number }>();

/**
 * Lets this connection name its repeated statements, so that the server plans each of them once. Not
 * for a connection through a pooler, whose next statement may reach another server process.
 */
export function allowPrepared(client: pg.PoolClient): void {
  connections.set(client, { texts: new Map(), names: 0 });
}

/** Returns the name under which the server keeps the plan of the statement, or undefined to send it without one. */
export function preparedName(client: pg.PoolClient, text: string): string | undefined {
  const prepared = connections.get(client);
  if (!prepared) return undefined;
  let known = prepared.texts.get(text);
  if (!known) {
    if (prepared.texts.size >= MOST_NAMES) return undefined;
    prepared.names += 1;
    const name = text.includes(plannedEachTime) ? undefined : `svc_${prepared.names}`;
    known = { uses: 0, name };
    prepared.texts.set(text, known);
  }
  known.uses += 1;
  return known.uses < REPEATS ? undefined : known.name;
}

/**
 * Gives every statement a new name. The server refuses to run a plan whose columns a migration has
 * changed, and node-postgres never prepares the same name twice.
 */
export function renamePrepared(client: pg.PoolClient): void {
  connections.get(client)?.texts.clear();
}

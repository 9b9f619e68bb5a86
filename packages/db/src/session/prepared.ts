import type pg from 'pg';

/** A statement gets a name when one connection sends it for the third time. */
const REPEATS = 3;
// The server keeps a plan for each name; further texts are sent without one.
const MOST_NAMES = 300;

interface Known {
  asked: number;
  readonly name: string;
}

const connections = new WeakMap<pg.PoolClient, { texts: Map<string, Known>; names: number }>();

/**
 * Lets this connection name its repeated statements, so that the server plans each of them once.
 * Not for a pooler's connection, whose next statement may reach another server process.
 */
export function allowPrepared(client: pg.PoolClient): void {
  connections.set(client, { texts: new Map(), names: 0 });
}

/** The name under which the server keeps the statement's plan, or undefined to send it without one. */
export function preparedName(client: pg.PoolClient, text: string): string | undefined {
  const prepared = connections.get(client);
  if (!prepared) return undefined;
  let known = prepared.texts.get(text);
  if (!known) {
    if (prepared.texts.size >= MOST_NAMES) return undefined;
    prepared.names += 1;
    known = { asked: 0, name: `svc_${prepared.names}` };
    prepared.texts.set(text, known);
  }
  known.asked += 1;
  return known.asked < REPEATS ? undefined : known.name;
}

/**
 * Gives every statement a new name. The server refuses a plan whose columns a migration changed, and
 * node-postgres never prepares a name twice.
 */
export function renamePrepared(client: pg.PoolClient): void {
  connections.get(client)?.texts.clear();
}

import type pg from 'pg';

/** Asked for so often on one connection, a statement gets a name. */
const REPEATS = 3;
// The server keeps a plan for each name; texts that come after so many others stay without one.
const MOST_NAMES = 300;
/**
 * Then it is planned anew, under another name. PostgreSQL holds a plan for any values against one
 * for these by what the first cost when it was made: on tables that grew since, it may plan for
 * ever, each time. github.com/postgres/postgres src/backend/utils/cache/plancache.c
 */
const USES = 1_000;

interface Prepared {
  readonly texts: Map<string, Known>;
  names: number;
}

interface Known {
  /** How often the text was asked for, since it got its name if it has one. */
  asked: number;
  name: string | undefined;
}

export interface Name {
  readonly name: string;
  /** Its earlier one, which nobody will use again. */
  readonly replaces: string | undefined;
}

const connections = new WeakMap<pg.PoolClient, Prepared>();

/** From now on the server plans repeated statements of this connection once. Not for a pooler's. */
export function allowPrepared(client: pg.PoolClient): void {
  connections.set(client, { texts: new Map(), names: 0 });
}

/** The name under which the server knows this text, or undefined to send it without one. */
export function preparedName(client: pg.PoolClient, text: string): Name | undefined {
  const prepared = connections.get(client);
  if (!prepared) return undefined;
  const known = prepared.texts.get(text) ?? { asked: 0, name: undefined };
  if (known.asked === 0) {
    if (prepared.texts.size >= MOST_NAMES) return undefined;
    prepared.texts.set(text, known);
  }
  known.asked += 1;
  const { name } = known;
  if (name !== undefined && known.asked <= USES) return { name, replaces: undefined };
  if (name === undefined && known.asked < REPEATS) return undefined;
  prepared.names += 1;
  known.name = `svc_${prepared.names}`;
  known.asked = 1;
  return { name: known.name, replaces: name };
}

/** After a migration changed what a statement answers, its old plan is refused: use new names. */
export function forgetPrepared(client: pg.PoolClient): void {
  connections.get(client)?.texts.clear();
}

import type pg from 'pg';

/** Asked for so often on one connection, a statement gets a name. */
const REPEATS = 3;
// The server keeps a plan for each name; texts that come after so many others stay without one.
const MOST_NAMES = 300;

interface Prepared {
  /** How often a text was asked for, or the name it got. */
  readonly texts: Map<string, number | string>;
  names: number;
}

const connections = new WeakMap<pg.PoolClient, Prepared>();

/** From now on the server plans repeated statements of this connection once. Not for a pooler's. */
export function allowPrepared(client: pg.PoolClient): void {
  connections.set(client, { texts: new Map(), names: 0 });
}

/** The name under which the server knows this text, or undefined to send it without one. */
export function preparedName(client: pg.PoolClient, text: string): string | undefined {
  const prepared = connections.get(client);
  if (!prepared) return undefined;
  const known = prepared.texts.get(text);
  if (typeof known === 'string') return known;
  if (known === undefined && prepared.texts.size >= MOST_NAMES) return undefined;
  const asked = (known ?? 0) + 1;
  if (asked < REPEATS) {
    prepared.texts.set(text, asked);
    return undefined;
  }
  prepared.names += 1;
  const name = `svc_${prepared.names}`;
  prepared.texts.set(text, name);
  return name;
}

/** After a migration changed what a statement answers, its old plan is refused: use new names. */
export function forgetPrepared(client: pg.PoolClient): void {
  connections.get(client)?.texts.clear();
}

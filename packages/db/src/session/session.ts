import type { Writable } from 'node:stream';
import type pg from 'pg';
import { connectionSurvives, DatabaseReadOnly, isStalePlan } from '../errors.ts';
import type { Sql } from '../types.ts';
import { allowPrepared, forgetPrepared, preparedName } from './prepared.ts';

/** Milliseconds; 0 is without limit. */
export interface Limits {
  readonly statement: number;
  readonly lock: number;
  readonly idleInTransaction: number;
}

export type Client = pg.PoolClient;

/** The client's own limit lies behind the server's, so that the server's error is the usual one. */
export const CLIENT_GRACE_MS = 3_000;

const broken = new WeakSet<Client>();
const beginText = new WeakMap<Client, string>();

/** Runs one statement; `timeoutMs` replaces the pool's limit. */
export async function execute(
  client: Client,
  { text, values }: Pick<Sql, 'text' | 'values'>,
  timeoutMs: number | undefined,
): Promise<pg.QueryResult> {
  const list = values as unknown[];
  try {
    const result: pg.QueryResult | pg.QueryResult[] =
      timeoutMs === undefined
        ? await send(client, text, list)
        : await client.query(withTimeout(text, list, timeoutMs));
    return Array.isArray(result) ? lastOf(result) : result;
  } catch (error) {
    if (!connectionSurvives(error)) broken.add(client);
    if (isStalePlan(error)) forgetPrepared(client);
    throw error;
  }
}

function send(client: Client, text: string, values: unknown[]): Promise<pg.QueryResult> {
  // Without values it is sent as simple text, which may hold several statements.
  const known = values.length > 0 ? preparedName(client, text) : undefined;
  // Text and values apart: given one object, node-postgres takes 3 µs to copy it.
  if (!known) return client.query(text, values);
  if (known.replaces !== undefined) forget(client, known.replaces);
  return client.query({ name: known.name, text, values });
}

/** Ahead of what replaces it; in vain in a transaction that has failed. */
function forget(client: Client, name: string): void {
  client.query(`deallocate ${name}`).catch(() => undefined);
  // node-postgres keeps the text of each name for as long as the connection.
  delete innards(client).parsedStatements[name];
}

/** What is asked until this turn of the loop ends leaves in one write, which wakes the server once. */
export function gather(client: Client): void {
  if (gathering.has(client)) return;
  const { stream } = innards(client);
  gathering.add(client);
  stream.cork();
  process.nextTick(() => {
    gathering.delete(client);
    stream.uncork();
  });
}

const gathering = new WeakSet<Client>();

/** Of node-postgres; its types do not tell of them. */
function innards(client: Client): Innards {
  return (client as Client & { readonly connection: Innards }).connection;
}

interface Innards {
  readonly parsedStatements: Record<string, string>;
  readonly stream: Pick<Writable, 'cork' | 'uncork'>;
}

/** Sends BEGIN, with limits for this transaction alone when `timeoutMs` is given. */
export async function begin(client: Client, timeoutMs: number | undefined): Promise<void> {
  const text = beginText.get(client) ?? 'begin';
  if (timeoutMs === undefined) await command(client, text);
  else
    await command(
      client,
      `${text}; ${setLocal({ statement_timeout: timeoutMs, lock_timeout: timeoutMs })}`,
    );
}

/** False when BEGIN carries settings without which nothing should run. */
export function beginsPlainly(client: Client): boolean {
  return !beginText.has(client);
}

/** True where a statement may be sent before the ones ahead of it have answered. */
export function takesMany(client: Client): boolean {
  return client.pipeline && beginsPlainly(client);
}

/** Runs a statement without values and answers its command tag. */
export async function command(client: Client, text: string): Promise<string> {
  return (await execute(client, { text, values: [] }, undefined)).command;
}

/** True after an error that leaves the state of the connection unknown: destroy it. */
export function isBroken(client: Client): boolean {
  return broken.has(client);
}

/** True when the client gave up waiting; the statement itself may run on. */
export function isTimeout(error: unknown): boolean {
  return error instanceof Error && error.message === 'Query read timeout';
}

export function markBroken(client: Client): void {
  broken.add(client);
}

/**
 * Sets limits and time zone by SQL, because PgBouncer refuses or drops them as start-up parameters.
 * A pooler reports a process id that is not the backend's; then each transaction carries the
 * settings itself.
 * @throws DatabaseReadOnly when the session would refuse writes; the pool then opens another later.
 */
export async function prepareServerSession(
  client: Client,
  limits: Limits,
): Promise<'direct' | 'pooled'> {
  const settings = {
    statement_timeout: limits.statement,
    lock_timeout: limits.lock,
    idle_in_transaction_session_timeout: limits.idleInTransaction,
    timezone: 'UTC',
  };
  const list = Object.entries(settings).map(
    ([name, value]) => `set_config('${name}', '${value}', false)`,
  );
  const { processID } = client as Client & { processID?: number | null };
  // `transaction_read_only` is on for a standby and for a read-only default of server, database or role.
  const text = `
    with session as materialized (
      select pg_backend_pid() = ${Number(processID ?? 0)} as direct,
        current_setting('transaction_read_only')::bool as read_only)
    select direct, read_only, case when direct then concat(${list.join(', ')}) end from session`;
  const { rows } = await execute(client, { text, values: [] }, undefined);
  const [{ direct, read_only }] = rows as [{ direct: boolean; read_only: boolean }];
  if (read_only) throw new DatabaseReadOnly();
  if (direct) {
    allowPrepared(client);
    return 'direct';
  }
  beginText.set(client, `begin; ${setLocal(settings)}`);
  return 'pooled';
}

/** PGlite keeps one session behind all its connections: drop what an earlier one left there. */
export async function prepareEmbeddedSession(client: Client): Promise<void> {
  await command(client, 'discard all');
  allowPrepared(client);
}

function withTimeout(text: string, values: unknown[], timeoutMs: number): pg.QueryConfig {
  const config: pg.QueryConfig & { query_timeout: number } = {
    text,
    values,
    query_timeout: timeoutMs + CLIENT_GRACE_MS,
  };
  return config;
}

function lastOf(results: pg.QueryResult[]): pg.QueryResult {
  return results[results.length - 1] as pg.QueryResult;
}

function setLocal(settings: Record<string, string | number>): string {
  return Object.entries(settings)
    .map(([name, value]) => `set local ${name} = '${value}'`)
    .join('; ');
}

import type { Writable } from 'node:stream';
import type pg from 'pg';
import { connectionSurvives, DatabaseReadOnly, isStalePlan } from '../errors.ts';
import type { Sql } from '../types.ts';
import { allowPrepared, preparedName, renamePrepared } from './prepared.ts';

/** Timeouts in milliseconds; 0 means no limit. */
export interface Limits {
  readonly statement: number;
  readonly lock: number;
  readonly idleInTransaction: number;
}

export type Client = pg.PoolClient;

/**
 * The time in milliseconds that the client waits longer than the server, so that usually the server reports the
 * timeout.
 */
export const CLIENT_GRACE_MS = 3_000;

const brokenClients = new WeakSet<Client>();
const statementObserver = new WeakMap<Client, (seconds: number) => void>();
const beginText = new WeakMap<Client, string>();

/** Calls `ended` with the time of each statement of the connection, in seconds. */
export function observeStatements(client: Client, ended: (seconds: number) => void): void {
  statementObserver.set(client, ended);
}

/** Runs one statement. `timeoutMs` replaces the pool's limit. */
export async function execute(
  client: Client,
  { text, values }: Pick<Sql, 'text' | 'values'>,
  timeoutMs: number | undefined,
): Promise<pg.QueryResult> {
  const list = values as unknown[];
  const ended = statementObserver.get(client);
  const began = ended ? performance.now() : 0;
  try {
    const result: pg.QueryResult | pg.QueryResult[] =
      timeoutMs === undefined
        ? await send(client, text, list)
        : await client.query(withTimeout(text, list, timeoutMs));
    return Array.isArray(result) ? lastOf(result) : result;
  } catch (error) {
    if (!connectionSurvives(error)) brokenClients.add(client);
    if (isStalePlan(error)) renamePrepared(client);
    throw error;
  } finally {
    ended?.((performance.now() - began) / 1_000);
  }
}

function send(client: Client, text: string, values: unknown[]): Promise<pg.QueryResult> {
  // Without values it uses the simple protocol, which allows several statements in one text.
  const name = values.length > 0 ? preparedName(client, text) : undefined;
  // Text and values are passed separately, because node-postgres takes 3 µs to copy an object.
  return name === undefined ? client.query(text, values) : client.query({ name, text, values });
}

/** Sends BEGIN. With `timeoutMs`, sets the limits of this transaction. */
export async function begin(client: Client, timeoutMs: number | undefined): Promise<void> {
  const text = beginText.get(client) ?? 'begin';
  if (timeoutMs === undefined) await runCommand(client, text);
  else
    await runCommand(
      client,
      `${text}; ${setLocal({ statement_timeout: timeoutMs, lock_timeout: timeoutMs })}`,
    );
}

/** Returns whether BEGIN is sent without settings. Behind a pooler it carries settings that every statement needs. */
export function beginsPlainly(client: Client): boolean {
  return !beginText.has(client);
}

/** Returns whether a statement may be sent before earlier ones are answered. */
export function canPipeline(client: Client): boolean {
  return client.pipeline && beginsPlainly(client);
}

/**
 * Buffers what is sent until the running code has ended, so that its statements leave in one packet. Eight updates
 * and a read of one row took 0.86 of the time, measured in turns on a loaded machine.
 */
export function sendTogether(client: Client): void {
  const { stream } = (client as Client & { connection: { stream: Writable } }).connection;
  stream.cork();
  process.nextTick(() => stream.uncork());
}

/** Runs a statement without values and returns its command tag, such as `COMMIT`. */
export async function runCommand(client: Client, text: string): Promise<string> {
  return (await execute(client, { text, values: [] }, undefined)).command;
}

/** Returns whether an error left the connection in an unknown state, so that it must be destroyed. */
export function isBroken(client: Client): boolean {
  return brokenClients.has(client);
}

/** Returns whether the client stopped waiting. The server may still be running the statement. */
export function isTimeout(error: unknown): boolean {
  return error instanceof Error && error.message === 'Query read timeout';
}

export function markBroken(client: Client): void {
  brokenClients.add(client);
}

/**
 * Sets limits and time zone with SQL, because PgBouncer refuses or drops them as startup parameters. A
 * pooler is recognized by a process id that is not the backend's. Behind one, each transaction sets them.
 * @throws DatabaseReadOnly if the session would refuse writes, unless it is `readOnly` anyway. The pool
 * opens another one later.
 */
export async function prepareServerSession(
  client: Client,
  limits: Limits,
  { readOnly }: { readonly readOnly: boolean },
): Promise<'direct' | 'pooled'> {
  const settings = {
    statement_timeout: limits.statement,
    lock_timeout: limits.lock,
    idle_in_transaction_session_timeout: limits.idleInTransaction,
    timezone: 'UTC',
    ...(readOnly ? { default_transaction_read_only: 'on' } : {}),
  };
  const list = Object.entries(settings).map(
    ([name, value]) => `set_config('${name}', '${value}', false)`,
  );
  const { processID } = client as Client & { processID?: number | null };
  // `transaction_read_only` is on for a standby, and for a read-only default of server, database or role.
  const text = `
    with session as materialized (
      select pg_backend_pid() = ${Number(processID ?? 0)} as direct,
        current_setting('transaction_read_only')::bool as read_only)
    select direct, read_only, pg_is_in_recovery() as standby, case when direct then concat(${list.join(', ')}) end from session`;
  const { rows } = await execute(client, { text, values: [] }, undefined);
  const [{ direct, read_only, standby }] = rows as [
    { direct: boolean; read_only: boolean; standby: boolean },
  ];
  if (read_only && !readOnly) throw new DatabaseReadOnly({ standby });
  if (direct) {
    allowPrepared(client);
    return 'direct';
  }
  beginText.set(client, `begin${readOnly ? ' read only' : ''}; ${setLocal(settings)}`);
  return 'pooled';
}

/** PGlite has one session behind all connections, so discard the state that an earlier one left. */
export async function prepareEmbeddedSession(client: Client): Promise<void> {
  await runCommand(client, 'discard all');
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

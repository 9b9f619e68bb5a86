import {
  type Database,
  DatabaseTooOld,
  describeProgress,
  findMigrating,
  instant,
  type Migration,
  migrate,
  openDatabase,
  readBackfills,
  readSchemaState,
  row,
  type SchemaState,
  sql,
} from '@svc/db';
import { type Config, ConfigError } from '../config.ts';
import type { Log } from '../context.ts';
import { migrationFiles, migrations, version } from '../migrations.ts';
import { grantToService, recordMigrations } from './grant-to-service.ts';
import { hasLimitedRole, keepPartitions } from './keep-partitions.ts';
import { ensureDatabase, orCreate, placeOf, refuseMissingFolder } from './open-for-command.ts';
import type { Operator } from './record-by-operator.ts';

export type MigrateRequest =
  | {
      readonly command: 'migrate plan' | 'migrate apply' | 'migrate status' | 'migrate partitions';
    }
  | { readonly command: 'migrate grant'; readonly role: string };

interface MigrateContext {
  readonly config: Config;
  readonly createDatabase: boolean;
  readonly json: boolean;
  readonly by: Operator;
  readonly log: Log;
  readonly write: (text: string) => void;
  /** Stops `migrate apply` between two steps or two batches of a backfill. */
  readonly signal: AbortSignal;
}

/**
 * Runs `migrate plan`, `apply`, `status`, `grant` or `partitions`. Unlike other commands it needs neither
 * a secret key nor a running service. Resolves with the exit code: 1 when `status` finds that this
 * version cannot run, or `partitions` must be repeated.
 */
export async function runMigrateCommand(
  request: MigrateRequest,
  context: MigrateContext,
): Promise<0 | 1> {
  const { config, createDatabase, log } = context;
  refuseMissingFolder(config, createDatabase);
  if (createDatabase && request.command === 'migrate apply') await ensureDatabase(config, log);
  const db = await openDatabase(config.database, { log });
  try {
    const state = await readSchemaState(db, migrationFiles, version);
    if (!createDatabase && state.applied.length === 0) {
      throw new ConfigError(
        `No service has used ${placeOf(config)} yet. Check DATABASE_URL and SVC_DATA_DIR. ${orCreate}`,
      );
    }
    switch (request.command) {
      case 'migrate apply':
        await apply(db, context);
        if (await hasLimitedRole(db)) await partition(db, context);
        return 0;
      case 'migrate plan':
        if (state.mismatch && !(state.mismatch instanceof DatabaseTooOld)) throw state.mismatch;
        context.write(
          context.json
            ? jsonOf({ pending: state.pending.map(itemOf) })
            : describePlan(state, config),
        );
        return 0;
      case 'migrate status':
        context.write(await describeStatus(db, state, context));
        return state.mismatch ? 1 : 0;
      case 'migrate grant':
        refusePending(state);
        await grantToService(db, { role: request.role, by: context.by });
        context.write(
          `${request.role} can run the service in ${placeOf(config)}. It cannot change or delete entries of the audit log.\n`,
        );
        await partition(db, context);
        return 0;
      case 'migrate partitions':
        refusePending(state);
        return (await partition(db, context)) ? 0 : 1;
    }
  } finally {
    await db.close();
  }
}

async function apply(db: Database, { config, by, write, signal }: MigrateContext): Promise<void> {
  const report = (line: string) => write(`${line}\n`);
  const done = await migrate(db, migrations, { version, wait: false, report, signal });
  if (done.length > 0) await recordMigrations(db, by, { migrations: done, version });
  write(
    done.length === 0
      ? `Nothing to apply: ${placeOf(config)} has every migration of version ${version}.\n`
      : `Applied ${counted(done.length)} to ${placeOf(config)}.\n`,
  );
}

function refusePending({ pending }: SchemaState): void {
  if (pending.length === 0) return;
  throw new ConfigError('Some migrations are not applied. Run "svc migrate apply" first.');
}

const nowRow = row('time of the database', { now: instant });

/** Returns false if something must be tried again. */
async function partition(db: Database, { config, by, write }: MigrateContext): Promise<boolean> {
  // This machine's clock may be wrong, and it would decide what has expired.
  const { now } = await db.one(nowRow, sql`select clock_timestamp() as now`);
  const { created, dropped, notes, complete } = await keepPartitions(db, {
    now,
    retentionDays: config.webhookRetentionDays,
    by,
  });
  for (const name of created) write(`Created ${name}.\n`);
  for (const name of dropped) write(`Dropped ${name}.\n`);
  for (const note of notes) write(`${note}\n`);
  if (complete && created.length + dropped.length === 0) {
    write('All partitions exist, and none has expired.\n');
  }
  return complete;
}

function describePlan({ pending }: SchemaState, config: Config): string {
  if (pending.length === 0) {
    return `Nothing to apply: ${placeOf(config)} has every migration of version ${version}.\n`;
  }
  const width = Math.max(...pending.map((step) => nameOf(step).length));
  const lines = pending.map((step) => `  ${nameOf(step).padEnd(width)}  ${describeStep(step)}\n`);
  return `${counted(pending.length)} to apply to ${placeOf(config)}:\n${lines.join('')}`;
}

function describeStep({ kind, backfill, contract, oldestService }: Migration): string {
  const how = backfill ? `backfill of ${backfill.table} in batches of ${backfill.rows} rows` : kind;
  // Files of version 0.1 say nothing; no later version may run before they are applied.
  if (oldestService === undefined) return how;
  return contract === undefined
    ? `${how}; services from ${oldestService} on keep running`
    : `${how}; stops services before ${oldestService}: ${contract}`;
}

async function describeStatus(
  db: Database,
  state: SchemaState,
  { config, json }: MigrateContext,
): Promise<string> {
  const backfills = await readBackfills(db);
  const applying = await findMigrating(db);
  const { applied, pending, oldestService, mismatch } = state;
  if (json) {
    return jsonOf({
      version,
      oldest_service: oldestService ?? null,
      problem: mismatch?.message ?? null,
      applied,
      pending: pending.map(itemOf),
      backfills,
      applying_pid: applying ?? null,
    });
  }
  const lines = [
    `where     ${placeOf(config)}`,
    `version   ${version}${oldestService === undefined ? '' : `; the database needs ${oldestService} or later`}`,
    `applied   ${applied.length}, the last is ${applied.at(-1) ?? 'missing'}`,
    `pending   ${pending.length}${pending[0] ? `, the next is ${nameOf(pending[0])}` : ''}`,
    ...backfills.map(
      (backfill) => `backfill  ${backfill.migration}: ${describeProgress(backfill)}`,
    ),
    ...(applying === undefined
      ? []
      : [`running   PostgreSQL process ${applying} applies migrations now`]),
    mismatch?.message ?? 'This version can run on this database.',
  ];
  return `${lines.join('\n')}\n`;
}

function itemOf(step: Migration) {
  const { kind, oldestService, contract } = step;
  return {
    name: nameOf(step),
    kind,
    oldest_service: oldestService ?? null,
    contract: contract ?? null,
  };
}

function nameOf({ source, name }: Migration): string {
  return `${source}/${name}`;
}

function counted(count: number): string {
  return count === 1 ? '1 migration' : `${count} migrations`;
}

function jsonOf(value: object): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

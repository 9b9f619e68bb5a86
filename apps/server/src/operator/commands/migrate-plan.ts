import { DatabaseTooOld, type Migration } from '@svc/db';
import { defineCommand } from '../command.ts';
import { countOf } from '../format.ts';
import { withSchema } from '../schema.ts';
import { nothingToApply } from './migrate-apply.ts';

export const migratePlan = defineCommand({
  name: 'migrate plan',
  summary: 'list the migrations that "migrate apply" would apply',
  effect: 'report',
  scope: 'schema',
  run: (ctx) =>
    withSchema(ctx, async ({ state: { mismatch, pending }, where }) => {
      if (mismatch && !(mismatch instanceof DatabaseTooOld)) throw mismatch;
      return { where, pending: pending.map(pendingOf) };
    }),
  describe({ where, pending }) {
    if (pending.length === 0) return nothingToApply(where);
    const width = Math.max(...pending.map(({ name }) => name.length));
    const lines = pending.map((it) => `  ${it.name.padEnd(width)}  ${effectOf(it)}\n`);
    return `${countOf(pending.length, 'migration', 'migrations')} to apply to ${where}:\n${lines.join('')}`;
  },
});

/** A migration that is not applied yet, as `--json` prints it. */
export interface PendingMigration {
  readonly name: string;
  readonly kind: string;
  readonly oldest_service: string | null;
  /** Why services older than that stop, for a contract step. */
  readonly contract: string | null;
  readonly backfill: { readonly table: string; readonly rows: number } | null;
}

export function pendingOf({
  source,
  name,
  kind,
  oldestService,
  contract,
  backfill,
}: Migration): PendingMigration {
  return {
    name: `${source}/${name}`,
    kind,
    oldest_service: oldestService ?? null,
    contract: contract ?? null,
    backfill: backfill === undefined ? null : { table: backfill.table, rows: backfill.rows },
  };
}

function effectOf({
  kind,
  backfill,
  contract,
  oldest_service: oldestService,
}: PendingMigration): string {
  const how =
    backfill === null ? kind : `backfill of ${backfill.table} in batches of ${backfill.rows} rows`;
  // Files of version 0.1 declare no oldest service; no later version may run before they are applied.
  if (oldestService === null) return how;
  return contract === null
    ? `${how}; services from ${oldestService} on keep running`
    : `${how}; stops services before ${oldestService}: ${contract}`;
}

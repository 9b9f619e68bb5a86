import { describeProgress, findMigrating, readBackfills } from '@svc/db';
import { version } from '../../migrations.ts';
import { defineCommand } from '../command.ts';
import { withSchema } from '../schema.ts';
import { pendingOf } from './migrate-plan.ts';

export const migrateStatus = defineCommand({
  name: 'migrate status',
  summary: 'say whether this version can run on the database',
  effect: 'report',
  scope: 'schema',
  run: (ctx) =>
    withSchema(ctx, async ({ db, state, where }) => ({
      where,
      version,
      oldest_service: state.oldestService ?? null,
      problem: state.mismatch?.message ?? null,
      applied: state.applied,
      pending: state.pending.map(pendingOf),
      backfills: await readBackfills(db),
      applying_pid: (await findMigrating(db)) ?? null,
    })),
  hasFailed: ({ problem }) => problem !== null,
  describe({
    where,
    oldest_service: oldest,
    problem,
    applied,
    pending,
    backfills,
    applying_pid: pid,
  }) {
    const lines = [
      `where     ${where}`,
      `version   ${version}${oldest === null ? '' : `; the database needs ${oldest} or later`}`,
      `applied   ${applied.length}, the last is ${applied.at(-1) ?? 'missing'}`,
      `pending   ${pending.length}${pending[0] ? `, the next is ${pending[0].name}` : ''}`,
      ...backfills.map((it) => `backfill  ${it.migration}: ${describeProgress(it)}`),
      ...(pid === null ? [] : [`running   PostgreSQL process ${pid} applies migrations now`]),
      problem ?? 'This version can run on this database.',
    ];
    return `${lines.join('\n')}\n`;
  },
});

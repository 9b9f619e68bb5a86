import { integer, nullable, row, sql, text } from '@svc/db';
import { defineCommand } from '../command.ts';
import { table } from '../table.ts';

const sessionRow = row('session with an open transaction', {
  pid: integer,
  user: nullable(text),
  program: nullable(text),
  state: nullable(text),
  open_seconds: integer,
  statement: nullable(text),
});

const longestStatement = 80;

export const dbSessions = defineCommand({
  name: 'db sessions',
  summary: 'list the database sessions with the oldest open transactions',
  effect: 'report',
  readsPrimary: true,
  needsDatabaseOnly: true,
  /** Sessions that keep rows from being vacuumed, oldest first. */
  run: async ({ tx }) => ({
    items: await tx.many(
      sessionRow,
      sql`
      select pid, usename::text as user, application_name as program, state,
        coalesce(extract(epoch from clock_timestamp() - xact_start), 0)::int as open_seconds,
        left(regexp_replace(query, '\\s+', ' ', 'g'), ${longestStatement}) as statement
      from pg_stat_activity
      where backend_xmin is not null and pid <> pg_backend_pid()
      order by xact_start nulls last limit 20`,
    ),
  }),
  describe: ({ items }) =>
    table(
      'open transactions',
      ['pid', 'open for', 'user', 'program', 'state', 'statement'],
      items.map((it) => [
        String(it.pid),
        `${it.open_seconds} s`,
        it.user ?? '',
        it.program ?? '',
        it.state ?? '',
        it.statement ?? '',
      ]),
    ),
});

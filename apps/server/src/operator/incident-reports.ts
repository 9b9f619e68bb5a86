import { bigint, integer, nullable, type Queryable, row, sql, text } from '@svc/db';
import { failures } from '../domain/payments/return-codes.ts';
import { table } from './table.ts';

export type IncidentRequest = { readonly command: 'payment failures' | 'db sessions' };

export function isIncident(request: { readonly command: string }): request is IncidentRequest {
  return request.command === 'payment failures' || request.command === 'db sessions';
}

const failureRow = row('failed payments by code', {
  code: nullable(text),
  hour: bigint,
  day: bigint,
});
const sessionRow = row('session with an open transaction', {
  pid: integer,
  user: nullable(text),
  program: nullable(text),
  state: nullable(text),
  seconds: integer,
  statement: nullable(text),
});

type Failures = { readonly items: readonly FailureCount[] };
interface FailureCount {
  readonly return_code: string | null;
  readonly meaning: string | null;
  readonly last_hour: number;
  readonly last_day: number;
}

interface Sessions {
  readonly items: readonly {
    readonly pid: number;
    readonly user: string | null;
    readonly program: string | null;
    readonly state: string | null;
    readonly open_seconds: number;
    readonly statement: string | null;
  }[];
}

/** What someone who was woken by an alert asks the database. */
export function runIncidentReport(
  tx: Queryable,
  { command }: IncidentRequest,
  now: Date,
): Promise<Failures | Sessions> {
  return command === 'db sessions' ? listSessions(tx) : countFailures(tx, now);
}

/** Failed payments of the last day by the bank's reason. One reason for many tenants is not theirs. */
async function countFailures(tx: Queryable, now: Date): Promise<Failures> {
  const rows = await tx.many(
    failureRow,
    sql`
    /* all partners */
    select p.return_code as code,
      count(*) filter (where p.created_at > ${now}::timestamptz - interval '1 hour') as hour,
      count(*) as day
    from payment p
    where p.outcome = 'failed' and p.created_at > ${now}::timestamptz - interval '1 day'
    group by 1 order by 2 desc, 3 desc limit 50`,
  );
  return {
    items: rows.map(({ code, hour, day }) => ({
      return_code: code,
      meaning: (code === null ? undefined : failures[code]?.meaning) ?? null,
      last_hour: hour,
      last_day: day,
    })),
  };
}

const longestStatement = 80;

/** Sessions that keep rows from being vacuumed, oldest first. */
async function listSessions(tx: Queryable): Promise<Sessions> {
  const rows = await tx.many(
    sessionRow,
    sql`
    select pid, usename::text as user, application_name as program, state,
      coalesce(extract(epoch from clock_timestamp() - xact_start), 0)::int as seconds,
      left(regexp_replace(query, '\\s+', ' ', 'g'), ${longestStatement}) as statement
    from pg_stat_activity
    where backend_xmin is not null and pid <> pg_backend_pid()
    order by xact_start nulls last limit 20`,
  );
  return { items: rows.map(({ seconds, ...it }) => ({ ...it, open_seconds: seconds })) };
}

export function describeIncidentReport(
  { command }: IncidentRequest,
  result: Failures | Sessions,
): string {
  if (command === 'db sessions') {
    return table(
      'open transactions',
      ['pid', 'open for', 'user', 'program', 'state', 'statement'],
      (result as Sessions).items.map((it) => [
        String(it.pid),
        `${it.open_seconds} s`,
        it.user ?? '',
        it.program ?? '',
        it.state ?? '',
        it.statement ?? '',
      ]),
    );
  }
  return table(
    'failed payments in the last day',
    ['code', 'last hour', 'last day', 'meaning'],
    (result as Failures).items.map((it) => [
      it.return_code ?? 'none',
      String(it.last_hour),
      String(it.last_day),
      it.meaning ?? '',
    ]),
  );
}

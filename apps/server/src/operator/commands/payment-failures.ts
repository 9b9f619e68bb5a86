import { bigint, nullable, row, sql, text } from '@svc/db';
import { failureFacts } from '../../domain/payments/return-codes.ts';
import { defineCommand } from '../command.ts';
import { table } from '../table.ts';

const failureRow = row('failed payments by code', {
  code: nullable(text),
  hour: bigint,
  day: bigint,
});

export const paymentFailures = defineCommand({
  name: 'payment failures',
  summary: 'count the failed payments of the last day by the bank’s reason',
  effect: 'report',
  console: { needs: 'read' },
  readsPrimary: true,
  /** Counts the failures by return code. If many tenants fail for the same reason, the cause is not on their side. */
  async run({ tx, now }) {
    const rows = await tx.many(
      failureRow,
      sql`
      /* all partners */
      /* many rows: a report over the last day */
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
        meaning: (code === null ? undefined : failureFacts[code]?.meaning) ?? null,
        last_hour: hour,
        last_day: day,
      })),
    };
  },
  describe: ({ items }) =>
    table(
      'failed payments in the last day',
      ['code', 'last hour', 'last day', 'meaning'],
      items.map((it) => [
        it.return_code ?? 'none',
        String(it.last_hour),
        String(it.last_day),
        it.meaning ?? '',
      ]),
    ),
});

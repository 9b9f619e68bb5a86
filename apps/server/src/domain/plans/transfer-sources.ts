import { type Sql, sql } from '@svc/db';
import { allEntryKeysOf, type PlanColumns } from '../payments/entry-key.ts';
import { debitEndings } from '../settlements/debits.ts';

/** Returns a subquery of the `source_id`s of all transfers of a plan, except reversals. */
export function transferSourcesOf({ partnerId, planId }: PlanColumns): Sql {
  return sql`
    select ${planId}
    union all
    select s.id || d.ending from settlement s, unnest(${debitEndings}::text[]) as d(ending)
    where s.partner_id = ${partnerId} and s.plan_id = ${planId}
    union all
    ${allEntryKeysOf({ partnerId, planId })}`;
}

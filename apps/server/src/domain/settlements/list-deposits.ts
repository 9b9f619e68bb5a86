import { type DepositOutput, depositOutput } from '@svc/contract';
import { bigint, date, json, row, sql, text } from '@svc/db';
import type { Ctx } from '../../context.ts';
import type { PartnerActor } from '../access/actor.ts';

const depositRow = row('deposit', {
  id: text,
  deposited_on: date,
  processor_deposit_id: text,
  expected_in_cents: bigint,
  amount_in_cents: bigint,
  mismatches: json(depositOutput.shape.mismatches),
});

/** The processor's deposits to our account recorded on that day in UTC, with each line that differs. */
export async function depositsOfDay(
  ctx: Ctx<PartnerActor>,
  date: string,
): Promise<DepositOutput[]> {
  return ctx.tx.many(
    depositRow,
    sql`
    select d.id, d.deposited_on, d.processor_deposit_id, d.expected_in_cents, d.amount_in_cents,
      coalesce((select json_agg(json_build_object('processor_transaction_id', e.id,
          'expected_in_cents', e.amount_in_cents, 'amount_in_cents', e.deposited_in_cents)
          order by e.id)
        from processor_entry e
        where e.partner_id = ${ctx.actor.partnerId} and e.deposit_id = d.id
          and e.deposited_in_cents <> e.amount_in_cents), '[]')
        as mismatches
    from deposit d
    where d.partner_id = ${ctx.actor.partnerId}
      and d.created_at >= ${date}::date::timestamp at time zone 'UTC'
      and d.created_at < (${date}::date + 1)::timestamp at time zone 'UTC'
    order by d.id`,
  );
}

import { bigint, type Queryable, row, sql, type Tx } from '@svc/db';
import type { Outcome, RefundRequest } from '../../domain/payments/processor.ts';
import { findCall, keyOf, outcomeOf } from './calls.ts';

/** Refunds a charge, or answers a repeated request with the first outcome. */
export async function refundCharge(tx: Tx, request: RefundRequest): Promise<Outcome> {
  const { payer, key } = request;
  const known = await findCall(tx, payer.partnerId, key);
  if (known) return outcomeOf(known);
  const entry = await refundEntry(tx, request);
  await tx.run(sql`
    insert into simulator_call (partner_id, key, tenant_id, kind, of_key, amount_in_cents,
      state, return_code, created_at)
    values (${payer.partnerId}, ${key}, ${payer.tenantId}, 'refund', ${keyOf(request.of)},
      ${request.amountInCents}, ${entry.state}, ${entry.returnCode}, ${payer.at})`);
  return outcomeOf({ key, ...entry });
}

const leftRow = row('charge to refund', { left: bigint });

/** A refund succeeds up to what is left of its charge. */
async function refundEntry(q: Queryable, { payer, of, amountInCents }: RefundRequest) {
  const { partnerId } = payer;
  const key = keyOf(of);
  const charge = await q.maybe(
    leftRow,
    sql`
    /* many rows: only the sandbox has such calls */
    select c.amount_in_cents - coalesce((select sum(r.amount_in_cents) from simulator_call r
        where r.partner_id = ${partnerId} and r.of_key = c.key and r.state = 'succeeded'), 0)::int8
      as left
    from simulator_call c
    where c.partner_id = ${partnerId} and c.key = ${key} and c.state = 'succeeded' for update of c`,
  );
  // A charge of an earlier version of the sandbox is not in the books.
  const returnCode = charge && charge.left < amountInCents ? 'refund_too_big' : null;
  return { state: returnCode === null ? 'succeeded' : 'failed', returnCode } as const;
}

import type { SettlementOutput } from '@svc/contract';
import { row, sql, text } from '@svc/db';
import type { Ctx } from '../../context.ts';
import { requireMoneyRunning } from '../controls/money-switch.ts';
import { emitEligibility } from '../eligibility/emit-eligibility.ts';
import { emit } from '../events/emit.ts';
import { partnerOf } from '../operators/partner-of.ts';
import { staleAfterDays } from '../partners/operating-hours.ts';
import { Refusal } from '../refusal.ts';
import { addBankingDays, debitBy } from '../tenants/banking-days.ts';
import { debitsSent, mostDebits } from './debits.ts';
import { lockSettlement } from './lock.ts';
import { readSettlement } from './read.ts';
import { eventsOf } from './update.ts';

const ownerRow = row('owner of a settlement', { partnerId: text, pms: text, tenantId: text });

const planRow = row('plan of a settlement', { planState: text, timeZone: text });

/**
 * Lets the portal debit us again after a debit that failed or was returned, for the operator. We still owe
 * the amount, so nothing is posted until the new debit is on its way.
 */
export async function reopenSettlement(
  ctx: Ctx,
  { id }: { readonly id: string },
): Promise<SettlementOutput & { readonly partner_id: string }> {
  const ofPartner = await partnerOf(ctx.tx, { subject: 'settlement_id', id });
  const owner = await ctx.tx.maybe(
    ownerRow,
    sql`
    select s.partner_id, p.pms, s.tenant_id
    from settlement s join partner p on p.id = s.partner_id
    where s.partner_id = ${ofPartner} and s.id = ${id}`,
  );
  if (!owner) {
    throw new Refusal('settlement_not_found', { message: `There is no settlement ${id}.` });
  }
  const partnerCtx = { ...ctx, actor: owner };
  const { settlement: before, subject, at } = await lockSettlement(partnerCtx, id);
  if (before.status !== 'failed' && before.status !== 'returned') {
    throw refused(
      `This settlement is ${before.status}. Only one whose debit failed or was returned can be reopened.`,
    );
  }
  const { partnerId } = owner;
  const { planState, timeZone } = await ctx.tx.one(
    planRow,
    sql`
    select p.state as plan_state, t.time_zone
    from plan p join tenant t on t.partner_id = p.partner_id and t.id = p.tenant_id
    where p.partner_id = ${partnerId} and p.id = ${before.plan_id}`,
  );
  if (planState === 'canceled')
    throw refused('The plan of this settlement was canceled, so nothing is owed.');
  if ((await debitsSent(ctx.tx, { partnerId, settlementId: id })) >= mostDebits) {
    throw refused(
      `This settlement was debited ${mostDebits} times, the most that is allowed. Pay it in another way.`,
    );
  }
  await requireMoneyRunning(ctx.tx);
  const debitOn = debitBy(at, timeZone);
  await ctx.tx.run(sql`
    update settlement set status = 'unsettled', debit_by = ${debitOn},
      stale_after = ${addBankingDays(debitOn, staleAfterDays)},
      processor_transaction_id = null, payout_id = null, failure_reason = null, version = version + 1,
      updated_at = ${ctx.now}
    where partner_id = ${partnerId} and id = ${id}`);
  const after = await readSettlement(partnerCtx, { id });
  emit(partnerCtx, subject, eventsOf(before.status, after));
  await emitEligibility(partnerCtx, owner);
  return { ...after, partner_id: partnerId };
}

function refused(message: string): Refusal {
  return new Refusal('settlement_transition_invalid', { message });
}

import { row, sql, text } from '@svc/db';
import type { UnitOfWork } from '../../context.ts';
import { emit } from '../events/emit.ts';
import { tenantTime } from '../tenants/time.ts';
import { loadOpenPlan, mailFactsOf, planData, subjectOf } from './live-plan.ts';
import { saveChange } from './save-change.ts';
import { scheduleDue } from './schedule-due.ts';

const methodRow = row('method of a mandate', { id: text, partnerId: text, tenantId: text });

/**
 * The tenant's bank says that we may not debit the account any more: the plan that uses it stops
 * collecting, and the tenant has to pay from another account. Returns whether the account is known.
 */
export async function revokeMandate(uow: UnitOfWork, mandateRef: string): Promise<boolean> {
  const { tx, now } = uow;
  const method = await tx.maybe(
    methodRow,
    sql`
    /* all partners: the processor has one account for all of them */
    select m.id, m.partner_id as "partnerId", m.tenant_id as "tenantId"
    from payment_method m join tenant t on t.partner_id = m.partner_id and t.id = m.tenant_id
    where m.mandate_ref = ${mandateRef} for update of t`,
  );
  if (!method) return false;
  const before = await loadOpenPlan(tx, method);
  if (!before?.autopay || before.method.id !== method.id) return true;
  const at = tenantTime(before, now);
  const kind = 'autopay_disabled' as const;
  const after = { ...before, autopay: false };
  const plan = await saveChange(uow, { before, after, at, history: [{ kind }] });
  await scheduleDue(tx, plan);
  const { version } = plan;
  emit(uow, subjectOf(plan, at), [
    { type: 'autopay.disabled', version, data: { plan_id: plan.id }, mail: mailFactsOf(plan) },
    { type: 'plan.updated', version, data: { ...planData(plan), change: kind } },
  ]);
  return true;
}

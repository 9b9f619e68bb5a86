import { row, sql, text } from '@svc/db';
import { findClaimCondition } from '../../cluster.ts';
import type { UnitOfWork } from '../../context.ts';
import { emit } from '../events/emit.ts';
import { tenantTime } from '../tenants/time.ts';
import { loadOpenPlan, mailFactsOf, planData, subjectOf } from './live-plan.ts';
import { saveChange } from './save-change.ts';
import { scheduleDue } from './schedule-due.ts';

const methodRow = row('method that may not be charged', {
  id: text,
  partnerId: text,
  tenantId: text,
});

/** The account or card by its mandate or by its own id at the processor. */
export type Permission = { readonly mandateRef: string } | { readonly methodRef: string };

/**
 * Records that we may no longer charge an account or card: its bank has revoked the mandate, or it was removed at
 * the processor. The plan that uses it stops collecting, and the tenant has to pay from another one.
 * Returns whether the account or card is one of ours.
 */
export async function endPermission(uow: UnitOfWork, permission: Permission): Promise<boolean> {
  const { tx, now } = uow;
  const named =
    'mandateRef' in permission
      ? sql`m.mandate_ref = ${permission.mandateRef}`
      : sql`m.method_ref = ${permission.methodRef}`;
  const due = sql`
    /* all partners: the processor has one account for all of them */
    from payment_method m join tenant t on t.partner_id = m.partner_id and t.id = m.tenant_id
    where ${named}`;
  const among = await findClaimCondition(tx, { of: 'm', joined: ['t'], due });
  if (!among) return false;
  const method = await tx.maybe(
    methodRow,
    sql`
    select m.id, m.partner_id, m.tenant_id
    ${due} and ${among('m')} for update of t`,
  );
  if (!method) return false;
  const before = await loadOpenPlan(tx, method);
  if (!before?.autopay || before.method.id !== method.id) return true;
  const at = tenantTime(before, now);
  const kind = 'autopay_disabled' as const;
  const after = { ...before, autopay: false };
  const plan = saveChange(uow, { before, after, at, history: [{ kind }] });
  await scheduleDue(tx, plan);
  const { version } = plan;
  emit(uow, subjectOf(plan, at), [
    { type: 'autopay.disabled', version, data: { plan_id: plan.id }, mail: mailFactsOf(plan) },
    { type: 'plan.updated', version, data: { ...planData(plan), change: kind } },
  ]);
  return true;
}

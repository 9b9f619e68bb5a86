import type { PaymentMethodInput } from '@svc/contract';
import { bigint, bytes, row, sql } from '@svc/db';
import type { Ctx } from '../../context.ts';
import type { TenantActor } from '../access/actor.ts';
import { lockTenantSnapshot, positionIn } from '../eligibility/lock-position.ts';
import { insertPaymentMethod } from '../payments/payment-methods.ts';
import { changePaymentMethod } from '../plans/change-payment-method.ts';
import { Refusal } from '../refusal.ts';
import { localDate } from '../tenants/calendar.ts';
import { decideApplication, unpaidPlansOf } from './decide-application.ts';

const applicantRow = row('applicant', {
  date_of_birth_sealed: bytes,
  monthly_income_in_cents: bigint,
  unpaid_plans: bigint,
});

/** Adds the tenant's bank account or card, and decides an application that waited for it. */
export async function addPaymentMethod(
  ctx: Ctx<TenantActor>,
  input: PaymentMethodInput,
): Promise<void> {
  const snapshot = await lockTenantSnapshot(ctx);
  if (snapshot.openPlan) return changePaymentMethod(ctx, input);
  const locked = positionIn(ctx, snapshot);
  const { eligibility, at } = locked.position;
  const { application, tenant } = snapshot;
  const waiting = eligibility.state === 'can_apply' && application?.state === 'submitted';
  if (!waiting && eligibility.state !== 'approved') throw new Refusal('step_not_allowed');
  await insertPaymentMethod(ctx, input, localDate(at, tenant.timeZone));
  if (!waiting || !application) return;
  const row = await ctx.tx.one(
    applicantRow,
    sql`
    select a.date_of_birth_sealed, a.monthly_income_in_cents,
      ${unpaidPlansOf(ctx.actor)} as unpaid_plans
    from application a where a.partner_id = ${tenant.partnerId} and a.id = ${application.id}`,
  );
  await decideApplication(ctx, locked, {
    application,
    dateOfBirth: ctx.service.vault.open(row.date_of_birth_sealed, application.id),
    monthlyIncomeInCents: row.monthly_income_in_cents,
    unpaidPlans: row.unpaid_plans,
  });
}

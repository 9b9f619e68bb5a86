import { adultYears, isAdult, type Locale } from '@svc/contract';
import { bigint, boolean, type Queryable, type RowOf, row, sql } from '@svc/db';
import type { Ctx } from '../../context.ts';
import { newId } from '../../ids.ts';
import type { TenantActor } from '../access/actor.ts';
import type { Application, TenantSnapshot } from '../eligibility/load-tenant-snapshot.ts';
import { lockPosition } from '../eligibility/lock-position.ts';
import { emit } from '../events/emit.ts';
import { Refusal } from '../refusal.ts';
import type { TenantKey } from '../tenant-key.ts';
import { localDate } from '../tenants/calendar.ts';
import { keepLocale } from '../tenants/keep-locale.ts';
import { decideApplication, unpaidPlansOf } from './decide-application.ts';

interface ApplicationInput {
  readonly date_of_birth: string;
  readonly monthly_income_in_cents: number;
  readonly consent: true;
  readonly locale?: Locale | undefined;
}

/**
 * The tenant applies for this rent cycle. Underwriting needs an account or card: a returning tenant
 * has one, so the decision is immediate; for a new tenant it follows in add-payment-method.ts. Returns
 * the snapshot with the application.
 */
export async function submitApplication(
  ctx: Ctx<TenantActor>,
  input: ApplicationInput,
): Promise<TenantSnapshot> {
  const [locked, { hasCompleted, unpaidPlans }] = await Promise.all([
    lockPosition(ctx),
    readPast(ctx.tx, ctx.actor),
  ]);
  const { snapshot, position, cycle, subject } = locked;
  const { tenant, application } = snapshot;
  if (position.eligibility.state !== 'can_apply') throw new Refusal('step_not_allowed');
  if (application?.state === 'submitted' || application?.state === 'in_review') return snapshot;
  requireAdult(input.date_of_birth, localDate(position.at, tenant.timeZone));
  // Before the mail with a decline is queued.
  if (input.locale) await keepLocale(ctx.tx, ctx.actor, input.locale);
  const id = newId('app', ctx.now);
  const { productVariant } = ctx.actor;
  // An application of an earlier cycle may not have expired yet, because the tick runs once a minute.
  const applied = ctx.tx.run(sql`
    with expired as (
      update application set state = 'expired', version = version + 1
      where partner_id = ${tenant.partnerId} and tenant_id = ${tenant.id}
        and state in ('submitted', 'in_review', 'approved')
      returning id
    )
    insert into application (id, partner_id, tenant_id, product_variant, rent_cycle_date, state,
      date_of_birth_sealed, monthly_income_in_cents, amount_in_cents, expires_at, submitted_at,
      created_at)
    select ${id}, ${tenant.partnerId}, ${tenant.id}, ${productVariant}, ${cycle.dueDate}::date,
      'submitted', ${ctx.service.vault.seal(input.date_of_birth, id)}::bytea,
      ${input.monthly_income_in_cents}::bigint, ${cycle.amountDueInCents}::bigint,
      ${cycle.closesAt}::timestamptz, ${position.at}::timestamptz, ${ctx.now}::timestamptz
    from (select count(*) from expired) ended`);
  const submitted: Application = {
    id,
    state: 'submitted',
    rentCycleDate: cycle.dueDate,
    productVariant,
    approvedAmountInCents: null,
    reapplyAfter: null,
    version: 1,
  };
  const about = {
    application_id: id,
    rent_cycle_date: cycle.dueDate,
    product_variant: productVariant,
  };
  const applicant = {
    application: submitted,
    dateOfBirth: input.date_of_birth,
    monthlyIncomeInCents: input.monthly_income_in_cents,
    unpaidPlans,
  };
  emit(ctx, subject, [{ type: 'application.submitted', version: 1, data: about }]);
  const [, decided] = await Promise.all([
    applied,
    hasCompleted ? decideApplication(ctx, locked, applicant) : submitted,
  ]);
  return { ...snapshot, application: decided };
}

/** A refusal of the field, because a decline would block the tenant for 90 days. */
function requireAdult(dateOfBirth: string, today: string): void {
  if (isAdult(dateOfBirth, today)) return;
  const error =
    dateOfBirth >= today
      ? { code: 'invalid_date', message: 'must be a date in the past' }
      : { code: 'too_young', message: `must be at least ${adultYears} years ago` };
  throw new Refusal('validation_failed', { errors: [{ param: 'date_of_birth', ...error }] });
}

const pastRow = row('past plans', { hasCompleted: boolean, unpaidPlans: bigint });

function readPast(q: Queryable, tenant: TenantKey): Promise<RowOf<typeof pastRow>> {
  return q.one(
    pastRow,
    sql`
    select exists (select from plan
        where partner_id = ${tenant.partnerId} and tenant_id = ${tenant.tenantId}
          and state = 'completed' and covers_charges) as "hasCompleted",
      ${unpaidPlansOf(tenant)} as "unpaidPlans"`,
  );
}

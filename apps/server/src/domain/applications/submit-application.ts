import { adultYears, isAdult, isTaxpayerNumber, type Locale } from '@svc/contract';
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
import { keepLocale, keepVariant } from '../tenants/keep-locale.ts';
import { type IdentityFields, ssnDigits } from '../underwriting/identity.ts';
import { decideApplication, unpaidPlansOf } from './decide-application.ts';
import { readKnownApplicant } from './known-applicant.ts';

interface ApplicationInput {
  /** Left out to use the one of the last application. */
  readonly date_of_birth?: string | undefined;
  readonly ssn?: string | undefined;
  readonly monthly_income_in_cents: number;
  readonly consent: true;
  readonly locale?: Locale | undefined;
}

/**
 * Submits the tenant's application for this rent cycle, and decides it. If the decision needs an
 * account or card and the tenant has none, it follows in add-payment-method.ts. Returns the snapshot
 * with the application.
 */
export async function submitApplication(
  ctx: Ctx<TenantActor>,
  input: ApplicationInput,
): Promise<TenantSnapshot> {
  const [locked, { hasMethod, unpaidPlans }, known] = await Promise.all([
    lockPosition(ctx),
    readPast(ctx.tx, ctx.actor),
    readKnownApplicant(ctx, ctx.actor),
  ]);
  const { snapshot, position, cycle, subject } = locked;
  const { tenant, application } = snapshot;
  if (position.eligibility.state !== 'can_apply') throw new Refusal('step_not_allowed');
  if (application?.state === 'in_review') return snapshot;
  const isDecided = hasMethod || !ctx.service.decisionNeedsAccount;
  const isWaiting = application?.state === 'submitted';
  if (isWaiting && !isDecided) return snapshot;
  const dateOfBirth = input.date_of_birth ?? known?.dateOfBirth;
  const today = localDate(position.at, tenant.timeZone);
  requireAdult(dateOfBirth, today);
  const ssn = requireSsn(ctx.service.decisionFields, input.ssn);
  const sealSsn = (id: string) => (ssn === null ? null : ctx.service.vault.seal(ssn, id));
  // The locale is stored before a decline's mail is queued.
  if (input.locale) ctx.tx.send(keepLocale(ctx.actor, input.locale));
  const { productVariant } = ctx.actor;
  if (productVariant === 'hoa' && tenant.productVariant === null) {
    ctx.tx.send(keepVariant(ctx.actor, productVariant));
  }
  const facts = {
    dateOfBirth,
    monthlyIncomeInCents: input.monthly_income_in_cents,
    unpaidPlans,
  };
  if (isWaiting) {
    // A service that asked for the account first has stored it. Nothing is missing for the decision.
    await ctx.tx.run(sql`
      update application
      set date_of_birth_sealed = ${ctx.service.vault.seal(dateOfBirth, application.id)},
        ssn_sealed = ${sealSsn(application.id)},
        monthly_income_in_cents = ${input.monthly_income_in_cents}
      where partner_id = ${tenant.partnerId} and id = ${application.id}`);
    return {
      ...snapshot,
      application: await decideApplication(ctx, locked, { application, ...facts }),
    };
  }
  const id = newId('app', ctx.now);
  // An application of an earlier cycle may not have expired yet, because the tick runs once a minute.
  const applied = ctx.tx.run(sql`
    with expired as (
      update application set state = 'expired', ssn_sealed = null, version = version + 1
      where partner_id = ${tenant.partnerId} and tenant_id = ${tenant.id}
        and state in ('submitted', 'in_review', 'approved')
      returning id
    )
    insert into application (id, partner_id, tenant_id, product_variant, rent_cycle_date, state,
      date_of_birth_sealed, ssn_sealed, monthly_income_in_cents, amount_in_cents, expires_at, submitted_at,
      created_at)
    select ${id}, ${tenant.partnerId}, ${tenant.id}, ${productVariant}, ${cycle.dueDate}::date,
      'submitted', ${ctx.service.vault.seal(dateOfBirth, id)}::bytea, ${sealSsn(id)}::bytea,
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
    militaryCovered: null,
    version: 1,
  };
  const eventData = {
    application_id: id,
    rent_cycle_date: cycle.dueDate,
    product_variant: productVariant,
  };
  emit(ctx, subject, [{ type: 'application.submitted', version: 1, data: eventData }]);
  const [, decided] = await Promise.all([
    applied,
    isDecided ? decideApplication(ctx, locked, { application: submitted, ...facts }) : submitted,
  ]);
  return { ...snapshot, application: decided };
}

/** Refuses the field instead of declining the application: a decline would block the tenant for 90 days. */
function requireAdult(dateOfBirth: string | undefined, today: string): asserts dateOfBirth {
  if (dateOfBirth !== undefined && isAdult(dateOfBirth, today)) return;
  const error =
    dateOfBirth === undefined
      ? { code: 'required', message: 'is required: there is no earlier application' }
      : dateOfBirth >= today
        ? { code: 'invalid_date', message: 'must be a date in the past' }
        : { code: 'too_young', message: `must be at least ${adultYears} years ago` };
  throw new Refusal('validation_failed', { errors: [{ param: 'date_of_birth', ...error }] });
}

/** Returns the digits that the decision service needs, or null. What a page sends unasked is not stored. */
function requireSsn(fields: IdentityFields, given: string | undefined): string | null {
  const digits = ssnDigits(fields);
  if (digits === null) return null;
  if (given?.length === digits && (digits === 4 || isTaxpayerNumber(given))) return given;
  const error =
    given === undefined
      ? { code: 'required', message: 'is required for the decision' }
      : given.length === digits
        ? {
            code: 'invalid_value',
            message: 'is no Social Security number or ITIN: check its digits',
          }
        : { code: 'invalid_format', message: `must be ${digits} digits` };
  throw new Refusal('validation_failed', { errors: [{ param: 'ssn', ...error }] });
}

const pastRow = row('past plans', { hasMethod: boolean, unpaidPlans: bigint });

function readPast(q: Queryable, tenant: TenantKey): Promise<RowOf<typeof pastRow>> {
  return q.one(
    pastRow,
    sql`
    select exists (select from payment_method
        where partner_id = ${tenant.partnerId} and tenant_id = ${tenant.tenantId}) as has_method,
      ${unpaidPlansOf(tenant)} as unpaid_plans`,
  );
}

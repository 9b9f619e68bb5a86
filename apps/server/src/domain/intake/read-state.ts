import { defaultLocale, type ExperienceState, type Locale, translatedLocales } from '@svc/contract';
import type { Ctx } from '../../context.ts';
import type { Creditor } from '../../creditor.ts';
import { reportedText } from '../../words/reported-text.ts';
import { wordsByLocale } from '../../words/words-by-locale.ts';
import type { TenantActor } from '../access/actor.ts';
import { readTries } from '../access/mail-links.ts';
import { isIncomeRecent, readKnownApplicant } from '../applications/known-applicant.ts';
import { type Charge, viewCharge } from '../charges/charge.ts';
import { viewCycle } from '../charges/rent-cycle.ts';
import { blockingCharges } from '../eligibility/eligibility.ts';
import {
  loadTenantSnapshot,
  type Position,
  positionOf,
  type TenantSnapshot,
} from '../eligibility/load-tenant-snapshot.ts';
import type { Lending } from '../lending/lending-rules.ts';
import { offeredCounts } from '../lending/splits.ts';
import { asksElectronicRecords, isDeclineOnPaper } from '../mail/electronic-records.ts';
import type { Terms } from '../partners/terms.ts';
import { viewMethod } from '../payments/payment-methods.ts';
import type { LivePlan } from '../plans/live-plan.ts';
import { readManagement } from '../plans/read-management.ts';
import { readPapers } from '../plans/read-papers.ts';
import { Refusal } from '../refusal.ts';
import { addMonth, localDate } from '../tenants/calendar.ts';
import { openPersonal } from '../tenants/personal-data.ts';
import { sharesLease } from '../tenants/shares-lease.ts';
import { isSimulated } from '../tenants/time.ts';
import { ssnDigits } from '../underwriting/identity.ts';
import { readNotice } from '../underwriting/notice.ts';
import { hideAccount } from './hide-account.ts';

type Step = ExperienceState['step'];

interface Known {
  readonly snapshot?: TenantSnapshot | undefined;
  /** A plan of the tenant. */
  readonly plan?: LivePlan;
}

/**
 * Reads everything that the experience shows. The server alone decides on the step. `known` is what
 * this transaction already knows after its last change, so that it is not read again.
 */
export async function readState(
  ctx: Ctx<TenantActor>,
  known: Known = {},
): Promise<ExperienceState> {
  const { partnerId, tenantId, productVariant } = ctx.actor;
  const snapshot =
    known.snapshot ?? (await loadTenantSnapshot(ctx.tx, { partnerId, tenantId }, { lock: false }));
  if (!snapshot) throw new Refusal('tenant_not_found');
  const position = positionOf(snapshot, ctx, productVariant);
  const { tenant, application, openPlan, planCount } = snapshot;
  const { eligibility, cycle, at } = position;
  const openPlanId = openPlan?.id ?? null;
  const [{ method, hadAccount, past, reopened, unconfirmed, openSetupId }, open] =
    await Promise.all([
      readPapers(ctx.tx, {
        partnerId,
        tenantId,
        hasOtherPlans: planCount > (openPlan ? 1 : 0),
        openPlanId,
        applicationId: isApplying(snapshot, position) ? (application?.id ?? null) : null,
      }),
      readPlanToShow(ctx, openPlanId, known.plan),
    ]);
  const today = localDate(at, tenant.timeZone);
  const mailAccess = await readMailAccess(ctx, tenant.returnUrl);
  const ended = eligibility.state === 'nothing_due' ? endedToShow(past, today) : null;
  const shown = open ?? (await readPlanToShow(ctx, ended?.id ?? null));
  const counts =
    cycle?.state === 'open'
      ? offeredCounts({ ...position, cycle, timeZone: tenant.timeZone })
      : position.terms.installmentCounts;
  const step =
    ended?.step ??
    stepOf(snapshot, position, { hasMethod: method !== null, hasOffer: counts.length > 0 });
  const mayApply = step === 'offer' && mailAccess === null;
  const [knownApplicant, asksRecords] = mayApply
    ? await Promise.all([
        viewKnownApplicant(ctx, today),
        asksElectronicRecords(ctx.tx, { partnerId, tenantId }),
      ])
    : [null, false];
  const state: ExperienceState = {
    step,
    environment: ctx.service.environment,
    simulated: isSimulated(tenant),
    today,
    tenant: {
      external_id: tenant.externalId,
      first_name: reportedText(
        openPersonal(ctx.service.vault, tenant.id, tenant.personal)?.firstName ?? '',
      ),
      product_variant: productVariant,
      property_name: textOrNull(tenant.lease?.property?.name),
      home_state: position.lending.state,
      shares_lease: await sharesLease(ctx.tx, tenant, cycle?.dueDate ?? null),
      return_url: tenant.returnUrl,
    },
    cycle: viewCycle(cycle),
    charges: (cycle?.charges ?? []).map(showCharge),
    blocking_charges: cycle
      ? blockingCharges(position, cycle, eligibility.reason).map(showCharge)
      : [],
    eligibility,
    application: application && {
      id: application.id,
      state: application.state,
      approved_amount_in_cents: application.approvedAmountInCents,
    },
    apply_steps: applySteps(ctx, { snapshot, position, asksAccount: !hadAccount }),
    asks_ssn_digits: ssnDigits(ctx.service.decisionFields),
    known_applicant: knownApplicant,
    asks_electronic_records: asksRecords,
    payment_method: method ? viewMethod(method) : null,
    account_entry: ctx.service.processor?.accountEntry ?? 'fields',
    takes_cards: ctx.service.processor?.takesCards ?? true,
    confirmation: unconfirmed,
    open_setup_id: openSetupId,
    notice: step === 'declined' ? await readDecline(ctx, snapshot) : null,
    plan: shown?.plan ?? null,
    management: shown?.management ?? null,
    past_plans: past,
    reopened_plan: reopened,
    mail_access: mailAccess,
    viewed_by_operator: ctx.actor.access === 'view',
    military: viewMilitary(position.lending),
    texts: ctx.service.texts !== null,
    terms: {
      ...viewTerms(ctx.service.creditor, position.terms, openPlan?.terms ?? position.terms),
      lender_license: position.lending.license,
      privacy_url: ctx.service.privacyUrl,
      installment_counts: [...counts],
    },
  };
  return mailAccess === null ? state : hideAccount(state);
}

function viewMilitary({ military }: Lending): ExperienceState['military'] {
  if (military === null) return null;
  const statementIn = (locale: Locale) => {
    const { heading, blocks } = wordsByLocale[locale].military(military.phone);
    return { locale, heading, paragraphs: [...blocks] };
  };
  return { ...statementIn(defaultLocale), translations: translatedLocales.map(statementIn) };
}

function textOrNull(text: string | null | undefined): string | null {
  return text ? reportedText(text) : null;
}

function showCharge(charge: Charge): ExperienceState['charges'][number] {
  return { ...viewCharge(charge), description: textOrNull(charge.description) };
}

/** Reads the check that a session from a mail's link must pass before it may pay or change anything. */
async function readMailAccess(
  ctx: Ctx<TenantActor>,
  returnUrl: string | null,
): Promise<ExperienceState['mail_access']> {
  if (ctx.actor.access !== 'look') return null;
  return {
    continue_in: returnUrl === null ? 'confirm' : 'portal',
    tries_left: await readTries(ctx, ctx.actor),
  };
}

async function readPlanToShow(
  { tx, actor, now, service }: Ctx<TenantActor>,
  planId: string | null,
  plan?: LivePlan,
) {
  if (planId === null) return null;
  const { partnerId, tenantId } = actor;
  const known = plan?.id === planId ? plan : undefined;
  return readManagement(tx, { partnerId, tenantId, planId, known, now, vault: service.vault });
}

/** Reads the notice of the decline, and whether it is also sent on paper. */
async function readDecline(
  ctx: Ctx<TenantActor>,
  { application, tenant }: TenantSnapshot,
): Promise<ExperienceState['notice']> {
  const { partnerId, tenantId } = ctx.actor;
  const notice =
    application && (await readNotice(ctx, { partnerId, applicationId: application.id, tenant }));
  if (!notice) return null;
  return { ...notice, on_paper: await isDeclineOnPaper(ctx.tx, { partnerId, tenantId }) };
}

interface StepFacts {
  readonly hasMethod: boolean;
  /** False if too few days are left for any number of payments that the terms have. */
  readonly hasOffer: boolean;
}

function stepOf(
  { application }: TenantSnapshot,
  position: Position,
  { hasMethod, hasOffer }: StepFacts,
): Step {
  switch (position.eligibility.state) {
    case 'has_plan':
      return 'manage';
    case 'declined':
      return 'declined';
    case 'approved':
      return hasOffer ? 'plan_choice' : 'blocked';
    case 'can_apply':
      if (application?.state === 'in_review') return 'decision';
      if (!hasOffer) return 'blocked';
      // A submitted application waits for the account. A service before 0.3.0 left such applications
      // behind, too. If there is an account, nothing is missing, and the tenant applies again to be decided.
      return application?.state === 'submitted' && !hasMethod ? 'payment_method' : 'offer';
    case 'cycle_closed':
      return isDeclinedFor(application, position.cycle) ? 'declined' : 'blocked';
    case 'blocked':
    case 'nothing_due':
      return 'blocked';
  }
}

/**
 * Returns whether the cycle's application was declined, even if it was in review until the split window closed: its
 * notice must be found here.
 */
function isDeclinedFor(
  application: TenantSnapshot['application'],
  cycle: Position['cycle'],
): boolean {
  return application?.state === 'declined' && application.rentCycleDate === cycle?.dueDate;
}

/** Returns whether the newest application is for the open rent cycle and can still become a plan. */
function isApplying({ application }: TenantSnapshot, { eligibility }: Position): boolean {
  if (eligibility.state === 'approved') return true;
  return (
    eligibility.state === 'can_apply' &&
    (application?.state === 'submitted' || application?.state === 'in_review')
  );
}

interface ApplyFacts {
  readonly snapshot: TenantSnapshot;
  readonly position: Position;
  /** True if the tenant had no account or card when the application was sent, or has none now. */
  readonly asksAccount: boolean;
}

/** Returns the steps that get a number. They stay the same from the application to the agreement. */
function applySteps(
  { service }: Ctx<TenantActor>,
  { snapshot: { application }, position, asksAccount }: ApplyFacts,
): Step[] {
  const isWaiting =
    position.eligibility.state === 'can_apply' && application?.state === 'submitted';
  const isAccountFirst = service.decisionNeedsAccount || isWaiting;
  const accountStep: Step[] = asksAccount ? ['payment_method'] : [];
  return [
    'application',
    ...(isAccountFirst ? accountStep : []),
    'plan_choice',
    ...(isAccountFirst ? [] : accountStep),
    'consent',
  ];
}

async function viewKnownApplicant(
  ctx: Ctx<TenantActor>,
  today: string,
): Promise<ExperienceState['known_applicant']> {
  const known = await readKnownApplicant(ctx, ctx.actor);
  return (
    known && {
      birth_year: Number(known.dateOfBirth.slice(0, 4)),
      monthly_income_in_cents: isIncomeRecent(known, today) ? known.monthlyIncomeInCents : null,
    }
  );
}

/** Returns the ended plan to show while nothing is due: one with a debt, or else this month's if it was fully paid. */
function endedToShow(past: ExperienceState['past_plans'], today: string) {
  const owed = past.find(
    ({ state, amounts }) => state === 'charged_off' && amounts.left_in_cents > 0,
  );
  if (owed) return { id: owed.id, step: 'manage' as const };
  const [last] = past;
  const isPaid = last?.state === 'completed' && today < addMonth(addMonth(last.rent_cycle_date));
  return isPaid ? { id: last.id, step: 'done' as const } : null;
}

function viewTerms(
  { name, address, supportEmail }: Creditor,
  terms: Terms,
  planTerms: Terms,
): Omit<ExperienceState['terms'], 'installment_counts' | 'lender_license' | 'privacy_url'> {
  return {
    lender_name: name,
    lender_address: address,
    support_email: supportEmail,
    fee_in_cents: terms.feeInCents,
    minimum_in_cents: terms.minimumInCents,
    maximum_in_cents: terms.maximumInCents,
    reapply_after_days: terms.reapplyAfterDays,
    span_days: terms.spanDays,
    retries: planTerms.retryAfterDays.length,
    past_due_after_days: planTerms.pastDueDays,
    charge_off_after_days: planTerms.chargeOffDays,
  };
}

import type { DocumentKind, Locale, OwnPlanOutput } from '@svc/contract';
import { row, sql, text } from '@svc/db';
import type { Ctx } from '../../context.ts';
import { reportedText } from '../../words/reported-text.ts';
import type { TenantActor } from '../access/actor.ts';
import { loadTenantSnapshot } from '../eligibility/load-tenant-snapshot.ts';
import { readOwnPlan } from '../intake/read-own-plan.ts';
import { listQuotes } from '../offers/list-quotes.ts';
import { Refusal } from '../refusal.ts';
import { localDate } from '../tenants/calendar.ts';
import { openPersonal } from '../tenants/personal-data.ts';
import type { Tenant } from '../tenants/tenant.ts';
import { tenantTime } from '../tenants/time.ts';
import { readNotice } from '../underwriting/notice.ts';
import { agreementDocument, offeredAgreement } from './agreement.ts';
import type { FoundDocument, TextFile } from './document-content.ts';
import { noticeDocument } from './notice.ts';
import { paymentCalendar } from './payment-calendar.ts';
import { payoffLetter } from './payoff.ts';
import { receiptDocument } from './receipt.ts';
import { yearStatement } from './statement.ts';

export interface NamedDocument {
  readonly kind: DocumentKind;
  readonly id: string;
  readonly locale: Locale;
}

/**
 * The documents for a session from a mail's link: receipts without the account's digits, the notice as it was
 * mailed, and the days that it sees on the page.
 */
const afterMail: readonly DocumentKind[] = ['receipt', 'notice', 'calendar'];

/**
 * Reads the facts of one of the tenant's documents.
 * @throws Refusal `not_found` for a document that the tenant does not have, `confirmation_required` for one that
 * a session from a mail's link may not read
 */
export async function findDocument(
  ctx: Ctx<TenantActor>,
  named: NamedDocument,
): Promise<FoundDocument | TextFile> {
  const { partnerId, tenantId, access } = ctx.actor;
  if (access !== 'full' && !afterMail.includes(named.kind)) {
    throw new Refusal('confirmation_required');
  }
  const snapshot = await loadTenantSnapshot(ctx.tx, { partnerId, tenantId }, { lock: false });
  if (!snapshot) throw new Refusal('tenant_not_found');
  const found = await findByKind(ctx, snapshot.tenant, named);
  if (!found) throw new Refusal('not_found');
  return found;
}

async function findByKind(
  ctx: Ctx<TenantActor>,
  tenant: Tenant,
  { kind, id, locale }: NamedDocument,
): Promise<FoundDocument | TextFile | undefined> {
  const { creditor } = ctx.service;
  const tenantName = nameOf(ctx, tenant);
  const today = localDate(tenantTime(tenant, ctx.now), tenant.timeZone);
  switch (kind) {
    case 'offer':
      return findOffer(ctx, id, today);
    case 'agreement':
      return agreementDocument(await readOwnPlan(ctx, { id }));
    case 'payoff':
      return payoffLetter({ own: await readOwnPlan(ctx, { id }), tenantName, creditor, locale });
    case 'calendar':
      return paymentCalendar({ own: await readOwnPlan(ctx, { id }), creditor, locale, today });
    case 'receipt': {
      const planId = await planOfPayment(ctx, id);
      if (planId === undefined) return undefined;
      const payee = tenant.lease?.property?.name;
      return receiptDocument({
        own: await readOwnPlan(ctx, { id: planId }),
        paymentId: id,
        tenantName,
        payee: payee ? reportedText(payee.slice(0, longestName)) : null,
        creditor,
        locale,
        hidesAccount: ctx.actor.access !== 'full',
      });
    }
    case 'notice': {
      if (!(await ownsApplication(ctx, id))) return undefined;
      const { partnerId } = ctx.actor;
      const notice = await readNotice(ctx, { partnerId, applicationId: id, tenant });
      return notice ? noticeDocument(notice, locale) : undefined;
    }
    case 'statement': {
      // The current year can still change.
      if (!/^20\d\d$/.test(id) || id >= today.slice(0, 4)) return undefined;
      const plans = await readPlansOf(ctx, { year: id, timeZone: tenant.timeZone });
      if (plans.length === 0) return undefined;
      return yearStatement({ year: id, plans, tenantName, creditor, locale });
    }
  }
}

/** The most characters of a name in a document, because a portal may report names of any length. */
const longestName = 200;

function nameOf({ service }: Ctx<TenantActor>, { id, personal }: Tenant): string {
  const { firstName = '', lastName = '' } = openPersonal(service.vault, id, personal) ?? {};
  return reportedText(`${firstName} ${lastName}`.slice(0, longestName));
}

/** Finds the agreement that is on offer, by the hash of its text. */
async function findOffer(
  ctx: Ctx<TenantActor>,
  sha256: string,
  today: string,
): Promise<FoundDocument | undefined> {
  const { items } = await listQuotes(ctx);
  const offered = items
    .flatMap(({ disclosure }) => (disclosure ? [disclosure, ...disclosure.translations] : []))
    .find((it) => it.sha256 === sha256);
  return offered && offeredAgreement(offered, today);
}

const planIdRow = row('plan of a document', { id: text });

async function planOfPayment(
  { tx, actor: { partnerId } }: Ctx<TenantActor>,
  paymentId: string,
): Promise<string | undefined> {
  const found = await tx.maybe(
    planIdRow,
    sql`
    select i.plan_id as id from payment y
      join installment i on i.partner_id = y.partner_id and i.id = y.installment_id
    where y.partner_id = ${partnerId} and y.id = ${paymentId}`,
  );
  return found?.id;
}

const applicationRow = row('application of a notice', { id: text });

async function ownsApplication(
  { tx, actor: { partnerId, tenantId } }: Ctx<TenantActor>,
  id: string,
): Promise<boolean> {
  const found = await tx.maybe(
    applicationRow,
    sql`
    select a.id from application a
    where a.partner_id = ${partnerId} and a.tenant_id = ${tenantId} and a.id = ${id}`,
  );
  return found !== undefined;
}

/** Reads the plans with movements of money in that year. */
async function readPlansOf(
  ctx: Ctx<TenantActor>,
  { year, timeZone }: { readonly year: string; readonly timeZone: string },
): Promise<OwnPlanOutput[]> {
  const { tx, actor } = ctx;
  const { partnerId, tenantId } = actor;
  const first = `${year}-01-01`;
  const found = await tx.many(
    planIdRow,
    sql`
    select p.id from plan p
    where p.partner_id = ${partnerId} and p.tenant_id = ${tenantId} and exists (
      select from plan_history h
      where h.partner_id = ${partnerId} and h.plan_id = p.id
        and h.kind in ('paid', 'taken_back', 'refunded', 'credited', 'fee_waived')
        and h.occurred_at >= ${first}::date::timestamp at time zone ${timeZone}
        and h.occurred_at < (${first}::date + interval '1 year') at time zone ${timeZone})
    order by p.id`,
  );
  return Promise.all(found.map(({ id }) => readOwnPlan(ctx, { id })));
}

import { date, instant, nullable, raw, row, sql, text } from '@svc/db';
import { EngineRefusal, expungeMessage, listMessages } from '@svc/webhooks';
import type { Ctx } from '../../context.ts';
import { Refusal } from '../refusal.ts';
import { deleteRequestsOf } from '../requests/request-log.ts';
import type { TenantKey } from '../tenant-key.ts';
import { lockNamedTenant, type NamedTenant } from '../tenants/require-tenant.ts';
import { tablesOfTenants } from './tenant-tables.ts';

export interface ErasedTenant {
  readonly partner_id: string;
  readonly tenant_id: string;
  /** The external id that its plans and settlements show from now on. */
  readonly external_id: string;
}

/**
 * Erases who a tenant is: destroys the tenant's key and blanks or deletes everything personal. Ledger,
 * plans, amounts, ids, agreements and decisions with their reasons stay. The tenant also loses its
 * external id, so that the next report of that id starts a new person with a new key.
 *
 * The tenant's row is locked first. A command of the tenant that has the lock before may open a plan,
 * which the checks see; one that gets it later finds no charges and does nothing. A portal_info that
 * read the tenant before finds another version, reads again and finds no tenant.
 * @throws Refusal while a plan is open, or money or a bank's dispute is on its way
 */
export async function eraseTenant(
  ctx: Pick<Ctx, 'tx' | 'now' | 'service'>,
  named: NamedTenant,
): Promise<ErasedTenant> {
  const { erasedAt, ...key } = await lockNamedTenant(ctx, named);
  if (erasedAt) {
    const message = `The tenant ${named.external_id} was erased on ${dayOf(erasedAt)} already.`;
    throw new Refusal('step_not_allowed', { message });
  }
  await refuseUnfinished(ctx, key, named);
  await expungeCustomMessages(ctx, key, named);
  await deleteRequestsOf(ctx, { partnerId: key.partnerId, externalId: named.external_id });
  await deleteRows(ctx, key);
  await blankApplications(ctx, key);
  await blankPayments(ctx, key);
  const externalId = `erased_${key.tenantId}`;
  await ctx.tx.run(sql`
    update tenant set external_id = ${externalId}, key_sealed = null, personal = null,
      email_hmac = null, search_hashes = null, first_name = null, last_name = null, email = null, phone_number = null,
      paydays_sealed = null, lease = null, return_url = null, metadata = '{}', locale = null, underwriting_result = null,
      decline_reasons = '{}', pending_payment_failures = '{}', eligibility_state = null,
      eligibility_reason = null, turns_at = null, version = version + 1, updated_at = ${ctx.now},
      erased_at = ${ctx.now}
    where partner_id = ${key.partnerId} and id = ${key.tenantId}`);
  return { partner_id: key.partnerId, tenant_id: key.tenantId, external_id: externalId };
}

const unfinishedRow = row('unfinished business', {
  plan_id: nullable(text),
  plan_ends: nullable(date),
  deposit_at: nullable(instant),
  settlement_id: nullable(text),
  settlement_status: nullable(text),
  event_at: nullable(instant),
  call_kind: nullable(text),
});

/** Refuses while the processor may still charge, deposit or return money, and would need the payment method. */
async function refuseUnfinished(
  { tx, now, service }: Pick<Ctx, 'tx' | 'now' | 'service'>,
  { partnerId, tenantId }: TenantKey,
  { pms, external_id }: NamedTenant,
): Promise<void> {
  const isReported = service.processor?.deposits === 'report';
  const ofTenant = sql`partner_id = ${partnerId} and tenant_id = ${tenantId}`;
  const found = await tx.one(
    unfinishedRow,
    sql`
    with open_plan as (
      select id from plan where ${ofTenant} and state in ('created', 'active', 'past_due')
      order by id limit 1
    ), open_settlement as (
      select id, status from settlement where ${ofTenant} and status in ('unsettled', 'unverified')
      order by id limit 1
    )
    select (select id from open_plan) as plan_id,
      (select max(due_date) from installment
        where partner_id = ${partnerId} and plan_id = (select id from open_plan)) as plan_ends,
      (select max(deposit_at) from processor_entry
        where ${ofTenant} and deposit_id is null
          -- What such a processor deposits is in the books of its report, without the tenant.
          and (${isReported}::boolean is false or deposit_at > ${now})) as deposit_at,
      (select id from open_settlement) as settlement_id,
      (select status from open_settlement) as settlement_status,
      (select max(occurs_at) from processor_event
        where ${ofTenant} and handled_at is null) as event_at,
      (select min(kind) from processor_call
        where ${ofTenant} and state not in ('succeeded', 'failed')) as call_kind`,
  );
  const refuse = (reason: string, advice: string) => {
    const message = `The tenant ${external_id} of ${pms} cannot be erased yet: ${reason}. ${advice}`;
    throw new Refusal('step_not_allowed', { message });
  };
  if (found.plan_id !== null) {
    refuse(
      `the plan ${found.plan_id} is open until ${found.plan_ends}`,
      'Wait until it is paid, canceled or written off, then run the command again.',
    );
  }
  if (found.call_kind !== null) {
    refuse(
      `the processor has not answered for a ${found.call_kind}`,
      'Run the command again when its outcome is known.',
    );
  }
  if (found.deposit_at !== null) {
    refuse(
      `a payment is on its way to us until ${dayOf(found.deposit_at)}`,
      'Run the command again after that day.',
    );
  }
  if (found.event_at !== null) {
    refuse(
      `a bank may return or decide about a payment until ${dayOf(found.event_at)}`,
      'Run the command again after that day.',
    );
  }
  if (found.settlement_id !== null) {
    refuse(
      `the settlement ${found.settlement_id} is ${found.settlement_status}`,
      'Run the command again when the portal has verified its debit.',
    );
  }
}

function dayOf(instant: Date): string {
  return instant.toISOString().slice(0, 10);
}

const pageSize = 100;

/** Expunges the partner's own messages, which may name the tenant. Our own events contain only ids and amounts. */
async function expungeCustomMessages(
  { tx, now }: Pick<Ctx, 'tx' | 'now'>,
  { partnerId }: TenantKey,
  { external_id }: NamedTenant,
): Promise<void> {
  let cursor: string | null = null;
  do {
    const query = { external_id, limit: pageSize, ...(cursor && { cursor }) };
    const page = await listMessages(tx, partnerId, query);
    for (const { id, custom, expunged_at } of page.items) {
      if (!custom || expunged_at !== null) continue;
      await expungeMessage(tx, partnerId, id, { cancel: true }, now).catch((error: unknown) => {
        if (!(error instanceof EngineRefusal)) throw error;
        throw new Refusal('version_conflict', { message: `${error.message} Nothing was erased.` });
      });
    }
    cursor = page.next_cursor;
  } while (cursor !== null);
}

async function deleteRows(
  { tx, service }: Pick<Ctx, 'tx' | 'service'>,
  { partnerId, tenantId }: TenantKey,
): Promise<void> {
  await tx.run(sql`
    delete from payment_setup where partner_id = ${partnerId} and tenant_id = ${tenantId}`);
  for (const { name, erased } of tablesOfTenants(service.processorRecords)) {
    if (!erased) continue;
    await tx.run(sql`
      delete from ${raw(name)}
      where partner_id = ${partnerId} and tenant_id = ${tenantId} and ${erased}`);
  }
  // Stored responses to the tenant's calls.
  await tx.run(sql`
    delete from idempotency_key
    where partner_id = ${partnerId} and starts_with(scope, ${`${tenantId} `})`);
  await tx.run(
    sql`/* many rows: some tables have no index by tenant */ delete from experience_session where partner_id = ${partnerId} and tenant_id = ${tenantId}`,
  );
  await tx.run(
    sql`/* many rows: some tables have no index by tenant */ delete from tenant_token where partner_id = ${partnerId} and tenant_id = ${tenantId}`,
  );
  await tx.run(sql`
    delete from hosted_link where partner_id = ${partnerId} and tenant_id = ${tenantId}`);
  await tx.run(
    sql`/* many rows: some tables have no index by tenant */ delete from mail where partner_id = ${partnerId} and tenant_id = ${tenantId}`,
  );
  await tx.run(sql`
    delete from bounced_address where partner_id = ${partnerId} and tenant_id = ${tenantId}`);
  await tx.run(sql`
    delete from tenant_document where partner_id = ${partnerId} and tenant_id = ${tenantId}`);
  await tx.run(sql`
    delete from electronic_records where partner_id = ${partnerId} and tenant_id = ${tenantId}`);
  await tx.run(sql`
    delete from text_consent where partner_id = ${partnerId} and tenant_id = ${tenantId}`);
  await tx.run(
    sql`/* many rows: some tables have no index by tenant */ delete from text_message where partner_id = ${partnerId} and tenant_id = ${tenantId}`,
  );
  await tx.run(sql`
    delete from tenant_unmasking where partner_id = ${partnerId} and tenant_id = ${tenantId}`);
  await tx.run(sql`
    delete from risk_mark where partner_id = ${partnerId} and tenant_id = ${tenantId}`);
  await tx.run(
    sql`/* many rows: at most 400 calls of a tenant are kept */ delete from recorded_call where partner_id = ${partnerId} and tenant_id = ${tenantId}`,
  );
  await tx.run(sql`
    delete from tenant_fork where partner_id = ${partnerId} and tenant_id = ${tenantId}`);
  await tx.run(sql`
    delete from application_flag where partner_id = ${partnerId} and tenant_id = ${tenantId}`);
  await tx.run(sql`delete from charge where partner_id = ${partnerId} and tenant_id = ${tenantId}`);
  await tx.run(
    sql`delete from tenant_due where partner_id = ${partnerId} and tenant_id = ${tenantId}`,
  );
  await tx.run(sql`
    delete from review where partner_id = ${partnerId}
      and application_id in (
        select id from application where partner_id = ${partnerId} and tenant_id = ${tenantId})`);
}

const sealedRow = row('sealed value', { id: text });

async function blankApplications(
  ctx: Pick<Ctx, 'tx' | 'service'>,
  { partnerId, tenantId }: TenantKey,
): Promise<void> {
  const applications = await ctx.tx.many(
    sealedRow,
    sql`select id from application where partner_id = ${partnerId} and tenant_id = ${tenantId}`,
  );
  for (const { id } of applications) await blankApplication(ctx, partnerId, id);
}

/**
 * Deletes what the tenant stated in an application, and the facts of its decisions. The outcome and its reasons
 * stay: a lender has to be able to explain them.
 */
export async function blankApplication(
  { tx, service }: Pick<Ctx, 'tx' | 'service'>,
  partnerId: string,
  id: string,
): Promise<void> {
  await tx.run(sql`
    update application set date_of_birth_sealed = ${service.vault.seal('', id)},
      monthly_income_in_cents = 0, military_covered = null, ssn_sealed = null,
      version = version + 1,
      state = case when state in ('started', 'submitted', 'in_review', 'approved')
        then 'withdrawn' else state end
    where partner_id = ${partnerId} and id = ${id}`);
  await tx.run(sql`
    update decision set facts = '{}', details_sealed = null
    where partner_id = ${partnerId} and application_id = ${id}`);
}

/**
 * Blanks the tenant's payment methods and plans. Amounts and ids stay, and the text that the tenant agreed to,
 * without the names of the tenant and the home. Without the account, nothing can be charged: a plan that a late
 * return reopens waits for a manual payment until it is written off.
 */
async function blankPayments(
  { tx, service }: Pick<Ctx, 'tx' | 'service'>,
  { partnerId, tenantId }: TenantKey,
): Promise<void> {
  const methods = await tx.many(
    sealedRow,
    sql`select id from payment_method where partner_id = ${partnerId} and tenant_id = ${tenantId}`,
  );
  for (const { id } of methods) {
    await tx.run(sql`
      update payment_method set details_sealed = ${service.vault.seal('{}', id)}, last4 = '0000',
        expires = null
      where partner_id = ${partnerId} and id = ${id}`);
  }
  await tx.run(sql`
    update plan set consent = consent - 'ip' - 'user_agent', agreement_sealed = null, autopay = false,
      version = version + 1
    where partner_id = ${partnerId} and tenant_id = ${tenantId}`);
  // The reasons are free text of the portal.
  await tx.run(sql`
    update refund set reason = null where partner_id = ${partnerId} and settlement_id in (
      select id from settlement where partner_id = ${partnerId} and tenant_id = ${tenantId})`);
  await tx.run(sql`
    update settlement set failure_reason = null, version = version + 1
    where partner_id = ${partnerId} and tenant_id = ${tenantId} and failure_reason is not null`);
}

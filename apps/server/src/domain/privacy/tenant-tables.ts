import { type Sql, sql } from '@svc/db';
import type { ProcessorRecords, ProcessorTable } from '../payments/processor-records.ts';
import type { TenantKey } from '../tenant-key.ts';

/**
 * Returns every table with rows of tenants, and the condition that finds those of one tenant as `x`. A test
 * compares the list with the foreign keys of the database, so a new table cannot be forgotten.
 */
export function tenantTables(
  { partnerId, tenantId }: TenantKey,
  processors: readonly Pick<ProcessorRecords, 'tables'>[],
): Readonly<Record<string, Sql>> {
  const ofTenant = sql`x.partner_id = ${partnerId} and x.tenant_id = ${tenantId}`;
  const ids = (of: Sql) =>
    sql`(select id from ${of} where partner_id = ${partnerId} and tenant_id = ${tenantId})`;
  const plans = ids(sql`plan`);
  const applications = ids(sql`application`);
  const accounts = ids(sql`ledger_account`);
  return {
    charge: ofTenant,
    collection_hold: ofTenant,
    application: ofTenant,
    application_flag: ofTenant,
    decision: sql`x.partner_id = ${partnerId} and x.application_id in ${applications}`,
    review: sql`x.partner_id = ${partnerId} and x.application_id in ${applications}`,
    payment_method: ofTenant,
    plan: ofTenant,
    plan_charge: sql`x.partner_id = ${partnerId} and x.plan_id in ${plans}`,
    plan_history: sql`x.partner_id = ${partnerId} and x.plan_id in ${plans}`,
    installment: sql`x.partner_id = ${partnerId} and x.plan_id in ${plans}`,
    payment: sql`x.partner_id = ${partnerId} and x.installment_id in (
      select id from installment where partner_id = ${partnerId} and plan_id in ${plans})`,
    payment_setup: ofTenant,
    processor_call: ofTenant,
    processor_entry: ofTenant,
    processor_event: ofTenant,
    dispute: ofTenant,
    ...Object.fromEntries(tablesOfTenants(processors).map(({ name }) => [name, ofTenant])),
    settlement: ofTenant,
    refund: sql`x.partner_id = ${partnerId} and x.settlement_id in ${ids(sql`settlement`)}`,
    ledger_account: ofTenant,
    ledger_entry: sql`x.partner_id = ${partnerId} and x.account_id in ${accounts}`,
    book_item: sql`x.partner_id = ${partnerId} and x.account_id in ${accounts}`,
    mail: ofTenant,
    bounced_address: ofTenant,
    electronic_records: ofTenant,
    risk_mark: ofTenant,
    tenant_document: ofTenant,
    text_consent: ofTenant,
    text_message: ofTenant,
    tenant_due: ofTenant,
    tenant_token: ofTenant,
    tenant_unmasking: ofTenant,
    experience_session: ofTenant,
    hosted_link: ofTenant,
    recorded_call: ofTenant,
    tenant_fork: ofTenant,
  };
}

/** Returns the processors' tables that have rows of tenants. */
export function tablesOfTenants(
  processors: readonly Pick<ProcessorRecords, 'tables'>[],
): (ProcessorTable & { readonly name: string })[] {
  return processors
    .flatMap(({ tables }) => Object.entries(tables))
    .filter(([, { isOfTenant }]) => isOfTenant)
    .map(([name, table]) => ({ name, ...table }));
}

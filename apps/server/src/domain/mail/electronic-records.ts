import { type ElectronicRecordsOutput, locales } from '@svc/contract';
import { boolean, nullable, type Queryable, row, type Sql, sql } from '@svc/db';
import type { Ctx } from '../../context.ts';
import type { Creditor } from '../../creditor.ts';
import { newId } from '../../ids.ts';
import type { MailType } from '../../words/mail-types.ts';
import { wordsByLocale } from '../../words/words-by-locale.ts';
import { sha256 } from '../access/secrets.ts';
import { Refusal } from '../refusal.ts';
import type { TenantKey } from '../tenant-key.ts';
import { noticeTypes } from './notices.ts';

/** The version of the consent text, stored with each consent. Increment it when the text changes. */
const consentVersion = '1';

type TenantCtx = Pick<Ctx, 'tx' | 'now' | 'service'>;

/** Reads how the tenant gets notices, and the consent text in each language. */
export async function readElectronicRecords(
  { tx, service }: Pick<TenantCtx, 'tx' | 'service'>,
  tenant: TenantKey,
): Promise<ElectronicRecordsOutput> {
  const agreed = await readAgreed(tx, tenant);
  const choice = agreed === null ? null : agreed ? 'electronic' : 'paper';
  return { choice, texts: electronicRecordsConsents(service.creditor) };
}

/**
 * Stores the tenant's answer: the hash of the text that it agreed to, or null for notices on paper. A mail
 * that is not sent yet follows the new answer.
 * @throws Refusal `version_conflict` if the text has changed since it was read
 */
export async function chooseElectronicRecords(
  { tx, now, service }: TenantCtx,
  tenant: TenantKey,
  acceptedSha256: string | null,
): Promise<void> {
  const consent =
    electronicRecordsConsents(service.creditor).find((it) => it.sha256 === acceptedSha256) ?? null;
  if (acceptedSha256 !== null && consent === null) {
    const message =
      'The text changed after it was read. Read GET /experience/electronic_records again.';
    throw new Refusal('version_conflict', { message });
  }
  const agreed = consent !== null;
  if ((await readAgreed(tx, tenant)) === agreed) return;
  await tx.run(sql`
    insert into electronic_records (partner_id, id, tenant_id, agreed, consent_text, consent_version,
      locale, decided_at)
    values (${tenant.partnerId}, ${newId('elr', now)}, ${tenant.tenantId}, ${agreed},
      ${consent?.text ?? null}, ${consent?.version ?? null}, ${consent?.locale ?? null}, ${now})`);
}

/**
 * Returns whether the mail has to be sent on paper. A tenant who was never asked has not agreed to an electronic
 * notice of a decline; the notices of a plan are covered by the consent in its agreement.
 */
export function isForPaper(type: MailType, agreed: boolean | null): boolean {
  if (!noticeTypes.includes(type)) return false;
  return agreed === null ? type === 'application.declined' : !agreed;
}

/** Returns whether the notice of a decline is sent on paper. */
export async function isDeclineOnPaper(q: Queryable, tenant: TenantKey): Promise<boolean> {
  return isForPaper('application.declined', await readAgreed(q, tenant));
}

/** True until the tenant has agreed to electronic records: the application then asks for consent. */
export async function asksElectronicRecords(q: Queryable, tenant: TenantKey): Promise<boolean> {
  return (await readAgreed(q, tenant)) !== true;
}

/** Returns a SQL expression for the tenant's newest answer: whether the tenant agreed, or null. */
export function newestRecordsConsent(partnerId: Sql, tenantId: Sql): Sql {
  return sql`(select e.agreed from electronic_records e
        where e.partner_id = ${partnerId} and e.tenant_id = ${tenantId}
        order by e.decided_at desc, e.id desc limit 1)`;
}

const answerRow = row('answer about electronic records', { agreed: nullable(boolean) });

async function readAgreed(
  q: Queryable,
  { partnerId, tenantId }: TenantKey,
): Promise<boolean | null> {
  const { agreed } = await q.one(
    answerRow,
    sql`select ${newestRecordsConsent(sql`${partnerId}`, sql`${tenantId}`)} as agreed`,
  );
  return agreed;
}

/** Returns the consent text in each language. */
export function electronicRecordsConsents(creditor: Creditor): ElectronicRecordsOutput['texts'] {
  return locales.map((locale) => {
    const text = wordsByLocale[locale].electronicRecords(creditor).join('\n\n');
    return { locale, version: consentVersion, sha256: sha256(text).toString('hex'), text };
  });
}

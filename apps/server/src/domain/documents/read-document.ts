import { bytes, row, sql } from '@svc/db';
import type { Ctx, RequestSteps } from '../../context.ts';
import type { TenantActor } from '../access/actor.ts';
import { readPrintBrand } from '../partners/appearance.ts';
import { Refusal } from '../refusal.ts';
import type { TenantKey } from '../tenant-key.ts';
import { openDocument, sealContext } from '../tenants/sealed-document.ts';
import type { FoundDocument } from './document-content.ts';
import { findDocument, type NamedDocument } from './find-document.ts';
import { renderPdf } from './render-pdf.ts';

interface DocumentKey extends TenantKey, NamedDocument {
  readonly revision: string;
}

interface DocumentFile {
  readonly bytes: Buffer;
  readonly type: string;
  readonly extension: string;
}

/**
 * Returns one of the tenant's documents, a PDF unless it is the calendar. Its first download stores the file, and every
 * later one returns those bytes, even if the brand, the words or the library have changed since. Nothing was shown
 * before the first download, so there is nothing that it could differ from.
 */
export async function readDocument(
  ctx: Ctx<TenantActor>,
  { steps, ...named }: NamedDocument & { readonly steps: RequestSteps<TenantActor> },
): Promise<DocumentFile> {
  const found = await findDocument(ctx, named);
  if ('text' in found) {
    const bytes = Buffer.from(found.text);
    return { bytes, type: 'text/calendar; charset=utf-8', extension: 'ics' };
  }
  const bytes = await readPdf(ctx, { steps, named, found });
  return { bytes, type: 'application/pdf', extension: 'pdf' };
}

interface PdfInput {
  readonly steps: RequestSteps<TenantActor>;
  readonly named: NamedDocument;
  readonly found: FoundDocument;
}

async function readPdf(
  ctx: Ctx<TenantActor>,
  { steps, named: { kind, id }, found: { revision, locale, compose } }: PdfInput,
): Promise<Buffer> {
  const { partnerId, tenantId } = ctx.actor;
  const render = async () => {
    steps.requireCaller();
    return renderPdf(compose(), await readLook(ctx));
  };
  if (revision === null) return render();
  const key = { kind, id, locale, partnerId, tenantId, revision };
  const stored = await findStored(ctx, key);
  if (stored) return stored;
  const pdf = await render();
  return steps.step((step) => storeOnce(step, key, pdf));
}

async function readLook({ tx, actor, service }: Ctx<TenantActor>) {
  const { name, address } = service.creditor;
  return { ...(await readPrintBrand(tx, actor.partnerId)), lender: `${name}, ${address}` };
}

const storedRow = row('stored document', { contentSealed: bytes });

async function findStored(
  { tx, service }: Pick<Ctx, 'tx' | 'service'>,
  key: DocumentKey,
): Promise<Buffer | undefined> {
  const found = await tx.maybe(
    storedRow,
    sql`
    select content_sealed from tenant_document
    where partner_id = ${key.partnerId} and tenant_id = ${key.tenantId} and kind = ${key.kind}
      and subject_id = ${key.id} and locale = ${key.locale} and revision = ${key.revision}`,
  );
  if (!found) return undefined;
  return openDocument(service, found.contentSealed, sealContext(key));
}

/**
 * Stores the file unless another download was faster, and returns the stored one. The tenant's row is locked against
 * being erased: an erased tenant must not get a new document.
 */
async function storeOnce(
  { tx, now, service }: Pick<Ctx, 'tx' | 'now' | 'service'>,
  key: DocumentKey,
  pdf: Buffer,
): Promise<Buffer> {
  const sealed = service.vault.seal(pdf.toString('base64'), sealContext(key));
  await tx.run(sql`
    insert into tenant_document
      (partner_id, tenant_id, kind, subject_id, locale, revision, content_sealed, created_at)
    select ${key.partnerId}, ${key.tenantId}, ${key.kind}, ${key.id}, ${key.locale}, ${key.revision},
      ${sealed}::bytea, ${now}::timestamptz
    from tenant t
    where t.partner_id = ${key.partnerId} and t.id = ${key.tenantId} and t.erased_at is null
    for share of t
    on conflict do nothing`);
  const stored = await findStored({ tx, service }, key);
  if (!stored) throw new Refusal('tenant_not_found');
  return stored;
}

import { type Queryable, row, sql, text } from '@svc/db';
import type { Ctx } from '../../context.ts';
import type { TenantKey } from '../tenant-key.ts';
import type { NumberEnd, TextOutcome, TextStatus } from './text-sender.ts';

// The minutes until the next attempt, after each failed one. After the last one, a text is out of date.
const retryMinutes = [1, 5, 30, 120];

/** The failure of a text whose process died during the attempt. */
export const unknownOutcome = 'The outcome is not known. It is not sent again.';

interface TextKey {
  readonly partnerId: string;
  readonly id: string;
}

interface Attempted extends TextKey {
  readonly consentId: string;
  readonly attempts: number;
}

/** Records the outcome of an attempt. Ends the consent of a number that accepts no texts. */
export async function recordOutcome(
  tx: Queryable,
  { partnerId, id, consentId, attempts }: Attempted,
  { now, outcome }: { readonly now: Date; readonly outcome: TextOutcome },
): Promise<void> {
  switch (outcome.kind) {
    case 'accepted':
      await tx.run(sql`
        update text_message set sent_at = ${now}, provider_ref = ${outcome.ref}, failure = null
        where partner_id = ${partnerId} and id = ${id}`);
      return;
    case 'refused':
      await recordUnsent(tx, { partnerId, id }, outcome.reason);
      if (outcome.ends)
        await endConsent(tx, { partnerId, id: consentId }, { now, by: outcome.ends });
      return;
    case 'failed': {
      const wait = retryMinutes[attempts - 1];
      const dueAt = wait === undefined ? null : new Date(now.getTime() + wait * 60_000);
      await tx.run(sql`
        update text_message set due_at = ${dueAt}, failure = ${outcome.reason.slice(0, 300)}
        where partner_id = ${partnerId} and id = ${id}`);
      return;
    }
    case 'unknown':
      // A status report from the provider may have arrived first. It says more, so it is kept.
      await tx.run(sql`
        update text_message set failure = ${`${unknownOutcome} ${outcome.reason}`.slice(0, 300)}
        where partner_id = ${partnerId} and id = ${id} and failure = ${unknownOutcome}`);
  }
}

/** Records that the text is not sent. */
export async function recordUnsent(
  tx: Queryable,
  { partnerId, id }: TextKey,
  reason: string,
): Promise<void> {
  await tx.run(sql`
    update text_message set failure = ${reason.slice(0, 300)}
    where partner_id = ${partnerId} and id = ${id}`);
}

/** Undoes the claim of a text that waits until `dueAt`, such as for the morning. */
export async function postponeText(
  tx: Queryable,
  { partnerId, id }: TextKey,
  dueAt: Date,
): Promise<void> {
  await tx.run(sql`
    update text_message set due_at = ${dueAt}, attempts = attempts - 1, failure = null
    where partner_id = ${partnerId} and id = ${id}`);
}

/** Makes a tenant's texts that wait for the morning due again, because the tenant's clock has moved. */
export async function recheckTexts(
  { tx, now }: Pick<Ctx, 'tx' | 'now'>,
  { partnerId, tenantId }: TenantKey,
): Promise<void> {
  await tx.run(sql`
    /* many rows: the sandbox only */
    update text_message set due_at = ${now}
    where partner_id = ${partnerId} and tenant_id = ${tenantId} and due_at > ${now}`);
}

const reportedRow = row('reported text', { consentId: text });

/** Records what the provider reports about a text, which also settles one whose outcome was not known. */
export async function recordStatus(
  { tx, now }: Pick<Ctx, 'tx' | 'now'>,
  { partnerId, id }: TextKey,
  { ref, refusal }: TextStatus,
): Promise<void> {
  const reported = await tx.maybe(
    reportedRow,
    sql`
    update text_message set sent_at = coalesce(sent_at, ${now}), provider_ref = ${ref}, due_at = null,
      failure = ${refusal?.reason.slice(0, 300) ?? null}
    where partner_id = ${partnerId} and id = ${id}
    returning consent_id`,
  );
  if (reported && refusal?.ends) {
    await endConsent(tx, { partnerId, id: reported.consentId }, { now, by: refusal.ends });
  }
}

/** Ends a consent, unless it has already ended. */
export async function endConsent(
  tx: Queryable,
  { partnerId, id }: TextKey,
  { now, by }: { readonly now: Date; readonly by: NumberEnd },
): Promise<void> {
  await tx.run(sql`
    update text_consent set ended_at = ${now}, ended_by = ${by}, code_hmac = null
    where partner_id = ${partnerId} and id = ${id} and ended_at is null`);
}

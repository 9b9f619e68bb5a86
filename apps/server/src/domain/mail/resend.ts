import { row, sql, text } from '@svc/db';
import type { Ctx } from '../../context.ts';
import { partnerOf } from '../operators/partner-of.ts';
import { Refusal } from '../refusal.ts';
import { mostMailAttempts } from './record.ts';

const changedRow = row('changed mail', { partner_id: text, type: text });

interface ChangedMail {
  readonly partner_id: string;
  readonly type: string;
}

/**
 * Queues a mail again, with a fresh link, whether it was sent, bounced, given up or withheld.
 * @throws Refusal `not_found`
 */
export async function resendMail(
  { tx, now }: Pick<Ctx, 'tx' | 'now'>,
  { mailId }: { readonly mailId: string },
): Promise<ChangedMail> {
  const partnerId = await partnerOf(tx, { subject: 'mail_id', id: mailId });
  return requireMail(
    mailId,
    await tx.maybe(
      changedRow,
      sql`
      update mail set due_at = ${now}, attempts = 0, link_sealed = null, failure = null,
        bounced_at = null
      where partner_id = ${partnerId} and id = ${mailId} returning partner_id, type`,
    ),
  );
}

/** Queues all mails again that were given up, with fresh links. Returns how many. */
export function resendGivenUpMails({ tx, now }: Pick<Ctx, 'tx' | 'now'>): Promise<number> {
  return tx.run(sql`
    /* all partners */
    update mail set due_at = ${now}, attempts = 0, link_sealed = null
    where sent_at is null and bounced_at is null and attempts >= ${mostMailAttempts}`);
}

/**
 * Records that a notice was sent on paper, so that it is no longer listed and will not be mailed.
 * @throws Refusal `not_found`
 */
export async function recordPrinted(
  { tx, now }: Pick<Ctx, 'tx' | 'now'>,
  { mailId }: { readonly mailId: string },
): Promise<ChangedMail> {
  const partnerId = await partnerOf(tx, { subject: 'mail_id', id: mailId });
  return requireMail(
    mailId,
    await tx.maybe(
      changedRow,
      sql`
      update mail set sent_at = ${now}, due_at = null, link_sealed = null
      where partner_id = ${partnerId} and id = ${mailId} and sent_at is null returning partner_id, type`,
    ),
  );
}

function requireMail(mailId: string, changed: ChangedMail | undefined): ChangedMail {
  if (changed) return changed;
  throw new Refusal('not_found', {
    message: `There is no unsent mail ${mailId}. "svc-admin mail list" shows the ids of mails.`,
  });
}

import type { Database } from '@svc/db';
import type { Clock, Log } from '@svc/runtime';
import type { Service } from '../context.ts';
import { createMailLink, isLinkFor } from '../domain/access/mail-links.ts';
import { defaultBrand } from '../domain/mail/brand.ts';
import { claimMails, keepLink, type Letter } from '../domain/mail/claim.ts';
import { composeMail } from '../domain/mail/compose.ts';
import { isForPaper } from '../domain/mail/electronic-records.ts';
import {
  recordBounce,
  recordFailure,
  recordNoServer,
  recordSent,
  recordWithheld,
  releaseMails,
  requeueWithheld,
} from '../domain/mail/record.ts';
import { mailBrandOf, readAppearance } from '../domain/partners/appearance.ts';
import { MailBounced, type Mailer } from '../outside/mailer.ts';
import type { Lane } from './lane.ts';

const everyMs = 10_000;
const batchSize = 20;
// Longer than a batch takes when the server hangs: its mails are sent one after another.
const leaseMs = 15 * 60_000;

interface Deps {
  readonly db: Database;
  readonly clock: Clock;
  readonly log: Log;
  readonly service: Service;
  /** Null when no mail is sent. */
  readonly mailer: Mailer | null;
}

export function mailsLane(deps: Deps): Lane {
  const { db, clock, mailer } = deps;
  let hasRequeued = mailer === null;
  return {
    name: 'mails',
    everyMs,
    async batch(stopping) {
      if (!hasRequeued) {
        await requeueWithheld(db, clock.now());
        hasRequeued = true;
      }
      return sendMails(deps, stopping);
    },
  };
}

/**
 * Sends a batch of the mails that are due, outside of any transaction: each at least once, with the
 * same Message-ID in each attempt. When `stopping` is aborted, the mails not yet sent are due again at
 * once. Returns how many mails were due.
 */
export async function sendMails(deps: Deps, stopping?: AbortSignal): Promise<number> {
  const mails = await claimDueMails(deps);
  for (const [index, mail] of mails.entries()) {
    if (stopping?.aborted) {
      const unsent = mails.slice(index).map(({ letter }) => letter);
      await releaseMails(deps.db, unsent, deps.clock.now());
      break;
    }
    await sendOne(deps, mail);
  }
  return mails.length;
}

interface Claimed {
  readonly letter: Letter;
  readonly secret: string;
}

async function claimDueMails({ db, clock, service }: Deps): Promise<Claimed[]> {
  const now = clock.now();
  return db.transaction(async (tx) => {
    const letters = await claimMails({ tx, now, service }, { limit: batchSize, leaseMs });
    const claimed: Claimed[] = [];
    for (const letter of letters) {
      const { partnerId, id, addressedTo, linkSealed } = letter;
      const known = linkSealed && service.vault.open(linkSealed, id);
      if (known !== null && letter.type === 'experience.code') {
        claimed.push({ letter, secret: known });
        continue;
      }
      // The portal may have reported another address since the last attempt.
      const isUsable =
        known !== null && (await isLinkFor({ tx }, { partnerId, secret: known, addressedTo }));
      const secret = isUsable ? known : await createMailLink({ tx, now }, letter);
      if (!isUsable) await keepLink({ tx, service }, letter, secret);
      claimed.push({ letter, secret });
    }
    return claimed;
  });
}

async function sendOne(deps: Deps, { letter, secret }: Claimed): Promise<void> {
  const { db, clock, log, service, mailer } = deps;
  if (isForPaper(letter.type, letter.agreedToRecords)) {
    return recordWithheld(db, letter, 'no consent to electronic records');
  }
  if (mailer === null) return recordNoServer(db, letter);
  if (letter.simulated && !mailer.takesSimulated) {
    return recordWithheld(db, letter, 'simulated tenant');
  }
  try {
    const { publicOrigin: origin, creditor } = service;
    const appearance = await readAppearance(db, letter.partnerId);
    const brand = {
      ...defaultBrand({ name: letter.portal, pms: letter.pms }),
      ...mailBrandOf(appearance, origin),
    };
    await mailer.send(composeMail(letter, { origin, secret, creditor, brand }));
  } catch (error) {
    // The server's message may quote the recipient's address, so it stays out of the log and the table.
    const { code, message } = error as NodeJS.ErrnoException;
    const bounced = error instanceof MailBounced;
    log.warn({ mail_id: letter.id, attempt: letter.attempts, code, bounced }, 'mail not sent');
    const now = clock.now();
    const reason = withoutAddresses(message);
    if (bounced) await recordBounce(db, letter, { now, reason });
    else await recordFailure(db, letter, { now, failure: reason });
    return;
  }
  await recordSent(db, letter, clock.now());
}

/**
 * Replaces the addresses in a mail server's answer, which can be any text. The pattern limits the local part, so
 * that a long word does not take quadratic time.
 */
function withoutAddresses(text: string): string {
  return text.slice(0, 2_000).replaceAll(/[^\s<>"'(]{1,300}@[^\s<>"'):;,]+/g, '[address]');
}

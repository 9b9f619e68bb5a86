import type { Database } from '@svc/db';
import type { Clock } from '../clock.ts';
import type { Log, Service } from '../context.ts';
import { createMailLink, isLinkFor } from '../domain/access/mail-links.ts';
import { claimMails, keepLink, type Letter } from '../domain/mail/claim.ts';
import { composeMail } from '../domain/mail/compose.ts';
import { recordFailure, recordSent, recordWithheld } from '../domain/mail/record.ts';
import type { Mailer } from '../outside/mailer.ts';
import { type Repeating, repeat } from './repeat.ts';

const everyMs = 10_000;
const batch = 20;
// Longer than a batch of mails can take, sent one after another to a server that times out.
const leaseMs = 15 * 60_000;

interface Deps {
  readonly db: Database;
  readonly clock: Clock;
  readonly log: Log;
  readonly service: Service;
  /** Null if no mail server is set. */
  readonly mailer: Mailer | null;
}

export function startMailing(deps: Deps): Repeating {
  return repeat({ ...deps, everyMs, name: 'mailing', turn: () => sendMails(deps) });
}

/** Sends the mails that are due, at least once, with the same Message-ID each time. No transaction is open meanwhile. */
export async function sendMails(deps: Deps): Promise<number> {
  let sent = 0;
  for (;;) {
    const letters = await claim(deps);
    for (const it of letters) if (await sendOne(deps, it)) sent += 1;
    if (letters.length < batch) break;
  }
  if (sent > 0) deps.log.info({ mails_sent: sent }, 'mail');
  return sent;
}

interface Claimed {
  readonly letter: Letter;
  readonly secret: string;
}

async function claim({ db, clock, service }: Deps): Promise<Claimed[]> {
  const now = clock.now();
  return db.transaction(async (tx) => {
    const letters = await claimMails({ tx, now }, { limit: batch, leaseMs });
    const claimed: Claimed[] = [];
    for (const letter of letters) {
      const { partnerId, id, email, linkSealed } = letter;
      const known = linkSealed && service.vault.open(linkSealed, id);
      // The portal may have reported another address since the last attempt.
      const isUsable =
        known !== null && (await isLinkFor({ tx }, { partnerId, secret: known, email }));
      const secret = isUsable ? known : await createMailLink({ tx, now }, letter);
      if (!isUsable) await keepLink({ tx, service }, letter, secret);
      claimed.push({ letter, secret });
    }
    return claimed;
  });
}

async function sendOne(deps: Deps, { letter, secret }: Claimed): Promise<boolean> {
  const { db, clock, log, service, mailer } = deps;
  if (mailer === null || (letter.simulated && !mailer.takesSimulated)) {
    const why = mailer === null ? 'no mail server is set' : 'simulated tenant';
    await recordWithheld(db, letter, why);
    return false;
  }
  try {
    const { publicOrigin: origin, creditor } = service;
    await mailer.send(composeMail(letter, { origin, secret, creditor }));
  } catch (error) {
    // The server's message may quote the address, so it is not logged.
    const { code, message } = error as NodeJS.ErrnoException;
    log.warn({ mail_id: letter.id, attempt: letter.attempts, code }, 'mail not sent');
    await recordFailure(db, letter, { now: clock.now(), failure: message });
    return false;
  }
  await recordSent(db, letter, clock.now());
  return true;
}

import type { Database } from '@svc/db';
import type { Clock, Log } from '@svc/runtime';
import type { Service } from '../context.ts';
import { tenantTime, wallTime } from '../domain/tenants/time.ts';
import { claimTexts, type DueText, whyObsolete } from '../domain/texts/claim-texts.ts';
import { composeReminder } from '../domain/texts/compose-text.ts';
import { dropReasons } from '../domain/texts/is-given-up.ts';
import { nextTextTime, textSecondsLeft } from '../domain/texts/quiet-hours.ts';
import { postponeText, recordOutcome, recordUnsent } from '../domain/texts/record-texts.ts';
import { type Texts, textWebhookPath } from '../domain/texts/text-sender.ts';
import type { TenantTime } from '../tenant-time.ts';
import type { Lane } from './lane.ts';

const everyMs = 10_000;
// Sent at once, so that a process that dies leaves few texts whose outcome is not known.
const batchSize = 20;

interface Deps {
  readonly db: Database;
  readonly clock: Clock;
  readonly log: Log;
  readonly service: Service;
}

export function textsLane(deps: Deps, texts: Texts): Lane {
  return { name: 'texts', everyMs, batch: () => sendTexts(deps, texts) };
}

/** Claims texts that are due and makes one attempt at each. Returns how many. */
export async function sendTexts(deps: Deps, texts: Texts): Promise<number> {
  const { db, clock, service } = deps;
  const now = clock.now();
  const claimed = await db.transaction((tx) =>
    claimTexts({ tx, now, service }, { limit: batchSize }),
  );
  await Promise.all(claimed.map((due) => sendOne(deps, texts, due)));
  return claimed.length;
}

async function sendOne(deps: Deps, { sender, showsDetails }: Texts, due: DueText): Promise<void> {
  const { db, clock, log, service } = deps;
  const now = clock.now();
  const obsolete = whyObsolete(due, now);
  if (obsolete !== null) return recordUnsent(db, due, obsolete);
  const at = tenantTime(due, now);
  const next = nextTextTime(at, due.timeZone);
  if (next > at) return postponeText(db, due, wallTime(due, next as TenantTime));
  if (due.simulated && !sender.takesSimulated) return recordUnsent(db, due, dropReasons.simulated);
  const query = new URLSearchParams({ partner: due.partnerId, text: due.id });
  const outcome = await sender.send({
    id: due.id,
    to: due.number,
    body: composeReminder(due, { creditor: service.creditor, showsDetails }),
    validForSeconds: textSecondsLeft(at, due.timeZone),
    statusUrl: `${service.publicOrigin}${textWebhookPath}?${query}`,
    date: now,
  });
  if (outcome.kind !== 'accepted') {
    const { kind, reason } = outcome;
    log.warn({ text_id: due.id, attempt: due.attempts, outcome: kind, reason }, 'text not sent');
  }
  await recordOutcome(db, due, { now: clock.now(), outcome });
}

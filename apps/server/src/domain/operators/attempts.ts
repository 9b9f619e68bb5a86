import { integer, type Queryable, row, sql } from '@svc/db';
import { sha256 } from '../access/secrets.ts';
import { Refusal } from '../refusal.ts';

const windowMinutes = 15;
const mostForName = 10;
// People of one office share an address.
const mostForAddress = 30;

const attemptsRow = row('attempts to sign in', { attempts: integer });

/**
 * Counts an attempt before it is checked, so that concurrent attempts cannot exceed the limit. The name
 * is counted whether somebody has it or not.
 * @throws Refusal `rate_limited`
 */
export async function countAttempt(
  q: Queryable,
  { name, address }: { readonly name: string; readonly address: string | null },
  now: Date,
): Promise<void> {
  const ofName = await count(q, subjectOf(name), now);
  const ofAddress = await count(q, `address ${address}`, now);
  if (ofName <= mostForName && ofAddress <= mostForAddress) return;
  throw new Refusal('rate_limited', {
    message: `There were too many attempts. Wait ${windowMinutes} minutes, or sign in with a passkey.`,
  });
}

/** Clears a person's failed attempts after a successful sign-in. */
export async function clearAttempts(q: Queryable, name: string): Promise<void> {
  await q.run(sql`delete from operator_attempt where subject_sha256 = ${sha256(subjectOf(name))}`);
}

async function count(q: Queryable, subject: string, now: Date): Promise<number> {
  const windowStart = new Date(now.getTime() - windowMinutes * 60_000);
  const { attempts } = await q.one(
    attemptsRow,
    sql`
    insert into operator_attempt as a (subject_sha256, attempts, since)
    values (${sha256(subject)}, 1, ${now})
    on conflict (subject_sha256) do update set
      attempts = case when a.since <= ${windowStart}::timestamptz then 1 else a.attempts + 1 end,
      since = case when a.since <= ${windowStart}::timestamptz then ${now}::timestamptz else a.since end
    returning attempts`,
  );
  return attempts;
}

function subjectOf(name: string): string {
  return `name ${name.trim().toLowerCase()}`;
}

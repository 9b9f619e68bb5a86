import { type Queryable, sql } from '@svc/db';

/** How long a mail is kept, wherever it is kept. */
export const mailKeptMs = 30 * 86_400_000;

// Minutes after each attempt; then it is given up: what it would say is old by then.
const retryMinutes = [1, 5, 30, 120, 360];
/** A mail that failed this often is given up. */
export const mostMailAttempts = retryMinutes.length + 1;

/** It was handed over; its link leaves our database with it. */
export async function recordSent(q: Queryable, id: string, now: Date): Promise<void> {
  await q.run(sql`
    update mail set sent_at = ${now}, due_at = null, link_sealed = null, failure = null
    where id = ${id}`);
}

/** It was not; tried again later, or given up. */
export async function recordFailure(
  q: Queryable,
  { id, attempts }: { readonly id: string; readonly attempts: number },
  { now, failure }: { readonly now: Date; readonly failure: string },
): Promise<void> {
  const wait = retryMinutes[attempts - 1];
  const dueAt = wait === undefined ? null : new Date(now.getTime() + wait * 60_000);
  await q.run(sql`
    update mail set due_at = ${dueAt}, failure = ${failure.slice(0, 300)},
      link_sealed = case when ${dueAt}::timestamptz is null then null else link_sealed end
    where id = ${id}`);
}

/** Nobody is to get it: a simulated tenant's mail leaves the machine never. */
export async function recordWithheld(q: Queryable, id: string, failure: string): Promise<void> {
  await q.run(sql`
    update mail set due_at = null, link_sealed = null, failure = ${failure} where id = ${id}`);
}

/** Undoes the claim of mails that were not attempted: they are due now, and the attempt does not count. */
export async function releaseMails(q: Queryable, ids: readonly string[], now: Date): Promise<void> {
  await q.run(sql`
    update mail set due_at = ${now}, attempts = attempts - 1
    where id = any(${ids}::text[]) and due_at is not null`);
}

import type { QueueName } from '@svc/contract/operator';
import { instant, nullable, type Queryable, row, sql, text } from '@svc/db';
import type { Ctx } from '../../context.ts';
import type { OperatorActor } from '../access/actor.ts';
import { takeReview } from '../applications/review-queue.ts';
import { assignItem } from '../books/match-by-hand.ts';
import { recordOperatorAction } from '../operators/record.ts';
import { Refusal } from '../refusal.ts';

type OperatorCtx = Ctx<OperatorActor>;

interface Items {
  readonly name: QueueName;
  readonly ids: readonly string[];
}

const noteRow = row('note on an item of a queue', {
  id: text,
  owner: nullable(text),
  snoozedUntil: nullable(instant),
});

interface Note {
  readonly owner: string | null;
  readonly snoozedUntil: Date | null;
}

/** Reads people's notes on these items, by the item's id. */
export async function readNotes(
  q: Queryable,
  name: QueueName,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Note>> {
  const rows = await q.many(
    noteRow,
    sql`
    select item_id as id, owner, snoozed_until from queue_item_note
    where queue = ${name} and item_id = any(${ids}::text[])`,
  );
  return new Map(rows.map(({ id, ...note }) => [id, note]));
}

const itemIdRow = row('item of a queue', { id: text });

/** Returns the ids of a queue's snoozed items. */
export async function snoozedIds(
  { tx, now }: Pick<Ctx, 'tx' | 'now'>,
  name: QueueName,
): Promise<string[]> {
  const rows = await tx.many(
    itemIdRow,
    sql`
    /* many rows: what people snoozed */
    select item_id as id from queue_item_note where queue = ${name} and snoozed_until > ${now}`,
  );
  return rows.map(({ id }) => id);
}

/** Returns the ids of the items of a queue that this person has taken. */
export async function takenIds(q: Queryable, name: QueueName, owner: string): Promise<string[]> {
  const rows = await q.many(
    itemIdRow,
    sql`
    /* many rows: what one person has taken */
    select item_id as id from queue_item_note where queue = ${name} and owner = ${owner}`,
  );
  return rows.map(({ id }) => id);
}

/**
 * Assigns items to the caller. Taking an item from another owner requires that owner's name, so that two people notice
 * each other. Owners of reviews and of exceptions of the books are stored in their own lists, which the commands show,
 * too.
 * @throws Refusal `step_not_allowed` for an item that someone else owns
 */
export async function takeItems(
  ctx: OperatorCtx,
  { name, ids, from }: Items & { readonly from?: string | undefined },
): Promise<{ changed: number }> {
  const user = ctx.actor.name;
  if (name === 'reviews') {
    for (const applicationId of ids) await takeReview(ctx, { applicationId, user, from });
  } else if (name === 'books') {
    for (const item of ids) await assignItem(ctx, { item, owner: user, user });
  } else {
    for (const [id, { owner }] of await lockNotes(ctx.tx, name, ids)) {
      if (owner === null || owner === user || owner === from) continue;
      throw new Refusal('step_not_allowed', {
        message: `${owner} has taken ${id}. To take it over, name ${owner} in "from".`,
      });
    }
    await writeNotes(ctx, { name, ids }, { owner: user });
  }
  await record(ctx, 'queue.taken', { name, ids });
  return { changed: ids.length };
}

/**
 * Releases items, regardless of their owner, and ends their snooze.
 * @throws Refusal for reviews, which a command releases because it decides them
 */
export async function releaseItems(
  ctx: OperatorCtx,
  { name, ids }: Items,
): Promise<{ changed: number }> {
  if (name === 'reviews') {
    throw new Refusal('step_not_allowed', {
      message:
        'Releasing a review decides it by the rules. Use the command review-release for that.',
    });
  }
  const changed = await ctx.tx.run(sql`
    delete from queue_item_note where queue = ${name} and item_id = any(${ids}::text[])`);
  if (changed > 0) await record(ctx, 'queue.released', { name, ids });
  return { changed };
}

const mostSnoozedDays = 90;

/** Hides items until a time. @throws Refusal if the time is past or too far away */
export async function snoozeItems(
  ctx: OperatorCtx,
  { name, ids, until, reason }: Items & { readonly until: string; readonly reason: string },
): Promise<{ changed: number }> {
  const days = (Date.parse(until) - ctx.now.getTime()) / 86_400_000;
  if (days <= 0 || days > mostSnoozedDays) {
    const message = `must be in the future, and at most ${mostSnoozedDays} days away`;
    throw new Refusal('validation_failed', {
      message: `until ${message}.`,
      param: 'until',
      errors: [{ param: 'until', code: 'invalid_value', message }],
    });
  }
  await writeNotes(ctx, { name, ids }, { snoozedUntil: new Date(until) });
  await record(ctx, 'queue.snoozed', { name, ids, until, reason });
  return { changed: ids.length };
}

async function lockNotes(q: Queryable, name: QueueName, ids: readonly string[]) {
  const rows = await q.many(
    noteRow,
    sql`
    select item_id as id, owner, snoozed_until from queue_item_note
    where queue = ${name} and item_id = any(${ids}::text[]) order by item_id for update`,
  );
  return rows.map(({ id, ...note }) => [id, note] as const);
}

/** Writes notes, and deletes those that are older than anything that still waits. */
async function writeNotes(
  { tx, now, actor }: OperatorCtx,
  { name, ids }: Items,
  { owner = null, snoozedUntil = null }: Partial<Note>,
): Promise<void> {
  await tx.run(sql`
    insert into queue_item_note (queue, item_id, owner, snoozed_until, noted_at, noted_by)
    select ${name}, x.id, ${owner}, ${snoozedUntil}::timestamptz, ${now}, ${actor.operatorId}
    from (select distinct unnest(${ids}::text[]) as id) x
    on conflict (queue, item_id) do update set owner = coalesce(excluded.owner, queue_item_note.owner),
      snoozed_until = coalesce(excluded.snoozed_until, queue_item_note.snoozed_until),
      noted_at = excluded.noted_at, noted_by = excluded.noted_by`);
  const oldest = new Date(now.getTime() - 2 * mostSnoozedDays * 86_400_000);
  await tx.run(sql`
    /* many rows: notes of work that is done */
    delete from queue_item_note where noted_at < ${oldest}`);
}

function record(
  ctx: OperatorCtx,
  action: 'queue.taken' | 'queue.released' | 'queue.snoozed',
  { name, ids, ...details }: Items & Readonly<Record<string, unknown>>,
): Promise<void> {
  return recordOperatorAction(ctx, ctx.actor, {
    action,
    subject_id: name,
    details: { ids: ids.join(' '), ...details } as never,
  });
}

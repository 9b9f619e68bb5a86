import type { SavedView } from '@svc/contract/operator';
import { type Queryable, row, sql, text } from '@svc/db';
import type { Ctx } from '../../context.ts';
import { newId } from '../../ids.ts';
import type { OperatorActor } from '../access/actor.ts';
import { Refusal } from '../refusal.ts';

const viewRow = row('saved view', { id: text, name: text, address: text });

const mostViews = 30;

/** Lists the person's own views, by name. */
export function listViews(
  q: Queryable,
  { operatorId }: Pick<OperatorActor, 'operatorId'>,
): Promise<SavedView[]> {
  return q.many(
    viewRow,
    sql`
    select id, name, address from saved_view where operator_id = ${operatorId}
    order by lower(name), id`,
  );
}

/** @throws Refusal if the person has 30 views */
export async function saveView(
  { tx, now, actor }: Pick<Ctx<OperatorActor>, 'tx' | 'now' | 'actor'>,
  { name, address }: Omit<SavedView, 'id'>,
): Promise<SavedView> {
  if ((await listViews(tx, actor)).length >= mostViews) {
    throw new Refusal('step_not_allowed', {
      message: `You have ${mostViews} views. Remove one first.`,
    });
  }
  const id = newId('opv', now);
  await tx.run(sql`
    insert into saved_view (id, operator_id, name, address, created_at)
    values (${id}, ${actor.operatorId}, ${name}, ${address}, ${now})`);
  return { id, name, address };
}

/** @throws Refusal if the person has no such view */
export async function removeView(
  { tx, actor }: Pick<Ctx<OperatorActor>, 'tx' | 'actor'>,
  { id }: { readonly id: string },
): Promise<null> {
  const removed = await tx.run(sql`
    delete from saved_view where id = ${id} and operator_id = ${actor.operatorId}`);
  if (removed === 0) throw new Refusal('not_found', { message: 'You have no such view.' });
  return null;
}

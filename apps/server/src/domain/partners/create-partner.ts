import { pms as pmsSchema } from '@svc/contract';
import { boolean, isUniqueViolation, type Queryable, row, sql } from '@svc/db';
import type { Ctx } from '../../context.ts';
import { newId } from '../../ids.ts';
import { insertKey } from '../access/api-keys.ts';
import { startCounting } from '../ledger/day-totals.ts';
import { Refusal } from '../refusal.ts';

/** Creates a partner with its first key, which is returned only here. */
export async function createPartner(ctx: Ctx, input: { pms: string; name?: string }) {
  const parsed = pmsSchema.safeParse(input.pms);
  if (!parsed.success) {
    throw new Refusal('validation_failed', {
      param: 'pms',
      message: `The portal name ${parsed.error.issues[0]?.message ?? 'is not valid'}.`,
    });
  }
  const partnerId = newId('ptn', ctx.now);
  try {
    await ctx.tx.run(sql`
      insert into partner (id, pms, name, created_at)
      values (${partnerId}, ${input.pms}, ${input.name ?? input.pms}, ${ctx.now})`);
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    throw new Refusal('version_conflict', {
      param: 'pms',
      message: `A partner ${input.pms} exists already: create a key for it instead.`,
    });
  }
  await startCounting(ctx.tx, partnerId);
  const key = await insertKey(ctx, { partnerId });
  return { partner_id: partnerId, pms: input.pms, ...key };
}

const anyRow = row('any partner', { found: boolean });

export async function hasPartners(q: Queryable): Promise<boolean> {
  const { found } = await q.one(anyRow, sql`select exists (select from partner) as found`);
  return found;
}

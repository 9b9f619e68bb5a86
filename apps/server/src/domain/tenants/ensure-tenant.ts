import { sql } from '@svc/db';
import type { Ctx } from '../../context.ts';
import { newId } from '../../ids.ts';

/**
 * Creates the tenant if there is none: a simulation may come before the first portal_info. Returns whether it did.
 */
export async function ensureTenant(
  ctx: Pick<Ctx, 'tx' | 'now'>,
  { partnerId, externalId }: { partnerId: string; externalId: string },
): Promise<boolean> {
  const created = await ctx.tx.run(sql`
    insert into tenant (id, partner_id, external_id, created_at, updated_at)
    values (${newId('ten', ctx.now)}, ${partnerId}, ${externalId}, ${ctx.now}, ${ctx.now})
    on conflict (partner_id, external_id) do nothing`);
  return created > 0;
}

import { row, sql, text } from '@svc/db';
import type { Ctx } from '../../context.ts';
import { createInvite, inviteOperator } from './invite.ts';

const name = 'Sandbox admin';
/** How long the link works: a sandbox may run for hours before somebody opens its console. */
const linkMinutes = 24 * 60;

const operatorRow = row('operator of the sandbox', { id: text });

/** Returns a link that signs in an admin once. The person is created with the first link. */
export async function createSandboxLink(ctx: Pick<Ctx, 'tx' | 'now' | 'service'>): Promise<string> {
  const found = await ctx.tx.maybe(
    operatorRow,
    sql`
    select id from operator where name = ${name} and role = 'admin' and disabled_at is null
    order by id limit 1`,
  );
  const { operator_id } = found
    ? { operator_id: found.id }
    : await inviteOperator(ctx, { name, role: 'admin' });
  return (await createInvite(ctx, operator_id, linkMinutes)).url;
}

import type { SvcEnvironment } from '@svc/contract';
import { listOf, row, sql, text } from '@svc/db';
import type { Ctx } from '../../context.ts';
import type { PartnerActor } from '../access/actor.ts';

const originsRow = row('allowed origins', { allowed_origins: listOf(text) });

export async function readAllowedOrigins(ctx: Ctx<PartnerActor>) {
  return ctx.tx.one(
    originsRow,
    sql`select allowed_origins from partner where id = ${ctx.actor.partnerId}`,
  );
}

/** Reads the list before a change and locks the row for it. */
export async function lockAllowedOrigins(ctx: Ctx<PartnerActor>): Promise<readonly string[]> {
  const { allowed_origins } = await ctx.tx.one(
    originsRow,
    sql`
    select allowed_origins from partner where id = ${ctx.actor.partnerId} for no key update`,
  );
  return allowed_origins;
}

/** Replaces the origins whose pages may frame the experience and call the widget's session. */
export async function setAllowedOrigins(
  ctx: Ctx<PartnerActor>,
  input: { allowed_origins: string[] },
) {
  const origins = [...new Set(input.allowed_origins)];
  return ctx.tx.one(
    originsRow,
    sql`
    update partner set allowed_origins = ${origins}::text[]
    where id = ${ctx.actor.partnerId} returning allowed_origins`,
  );
}

/** Whether a page at this origin may show the partner's widget. An empty list allows any, in sandbox only. */
export function originAllowed(
  allowed: readonly string[],
  origin: string | null,
  environment: SvcEnvironment,
): boolean {
  if (allowed.length === 0) return environment === 'sandbox';
  return origin !== null && allowed.includes(origin);
}

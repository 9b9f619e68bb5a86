import type { SvcEnvironment } from '@svc/contract';
import { listOf, type RowOf, row, sql, text } from '@svc/db';
import type { Ctx, Service } from '../../context.ts';
import type { PartnerActor } from '../access/actor.ts';
import { Refusal } from '../refusal.ts';

const originsRow = row('allowed origins', {
  allowed_origins: listOf(text),
  app_schemes: listOf(text),
});

export async function readAllowedOrigins(ctx: Ctx<PartnerActor>) {
  return ctx.tx.one(
    originsRow,
    sql`select allowed_origins, app_schemes from partner where id = ${ctx.actor.partnerId}`,
  );
}

/**
 * A frame of the console opens only on stored origins, even in the sandbox. Unlike the experience, it
 * shows the partner's data, not the viewer's own.
 * @throws Refusal `no_allowed_origins`
 */
export async function requireAllowedOrigins(ctx: Ctx<PartnerActor>): Promise<void> {
  const { allowed_origins } = await readAllowedOrigins(ctx);
  if (allowed_origins.length === 0) throw new Refusal('no_allowed_origins');
}

/** Reads both lists before a change and locks the row for it. */
export async function lockAllowedOrigins(
  ctx: Ctx<PartnerActor>,
): Promise<RowOf<typeof originsRow>> {
  return ctx.tx.one(
    originsRow,
    sql`
    select allowed_origins, app_schemes from partner
    where id = ${ctx.actor.partnerId} for no key update`,
  );
}

/**
 * Replaces the origins whose pages may frame the experience and call the widget's session, and the schemes
 * of the portal's app unless they are left out.
 */
export async function setAllowedOrigins(
  ctx: Ctx<PartnerActor>,
  input: { allowed_origins: string[]; app_schemes?: string[] | undefined },
) {
  const origins = [...new Set(input.allowed_origins)];
  const schemes = input.app_schemes && [...new Set(input.app_schemes)];
  return ctx.tx.one(
    originsRow,
    sql`
    update partner set allowed_origins = ${origins}::text[],
      app_schemes = coalesce(${schemes ?? null}::text[], app_schemes)
    where id = ${ctx.actor.partnerId} returning allowed_origins, app_schemes`,
  );
}

/**
 * Returns the origins whose pages may show the partner's widget. A partner with an app has ours among them, because
 * the app shows our page `/sdk/webview`, which no other page can frame.
 */
export function widgetOrigins(
  { environment, publicOrigin }: Pick<Service, 'environment' | 'publicOrigin'>,
  allowed: readonly string[],
  appSchemes: readonly string[],
): readonly string[] {
  const allowsAny = allowed.length === 0 && environment === 'sandbox';
  return allowsAny || appSchemes.length === 0 ? allowed : [...allowed, publicOrigin];
}

/** Returns whether a page at this origin may show the partner's widget. Only in sandbox, an empty list allows any. */
export function isOriginAllowed(
  allowed: readonly string[],
  origin: string | null,
  environment: SvcEnvironment,
): boolean {
  if (allowed.length === 0) return environment === 'sandbox';
  return origin !== null && allowed.includes(origin);
}

import { recordAudit } from '../domain/index.ts';
import type { AnyInput, Route, RouteCtx } from './route.ts';

/** Runs the route's verb and writes the audit entry that the route declares, in the same transaction. */
export async function runAudited(route: Route, ctx: RouteCtx, input: AnyInput): Promise<unknown> {
  const { audit } = route;
  const { actor } = ctx;
  if (typeof audit !== 'object' || !('entry' in audit) || actor.kind !== 'partner') {
    return route.verb(ctx, input);
  }
  const prior = await audit.prior?.({ ...ctx, actor }, input);
  const result = await route.verb(ctx, input);
  const entry = audit.entry({ input, result, prior });
  if (entry) await recordAudit(ctx, actor, entry);
  return result;
}

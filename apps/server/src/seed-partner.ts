import type { Ctx } from './context.ts';
import { createKey, findFullKey } from './domain/access/api-keys.ts';
import { createPartner } from './domain/partners/create-partner.ts';
import { findPartnerByPms } from './domain/partners/find-partner.ts';
import { newId } from './ids.ts';
import type { Started } from './main.ts';
import { runUnitOfWork } from './unit-of-work.ts';

/** Creates the partner if it is missing. Returns a live key that may do everything. */
export async function seedPartner(
  ctx: Ctx,
  { pms, name }: { readonly pms: string; readonly name: string },
): Promise<string> {
  const partner = await findPartnerByPms(ctx.tx, pms);
  if (!partner) return (await createPartner(ctx, { pms, name })).api_key;
  const key = await findFullKey(ctx, partner.id);
  return key ?? (await createKey(ctx, { pms })).api_key;
}

/** Runs a domain command in its own unit of work, with the system as the actor. */
export function runAsSystem<T>(
  { commands }: Pick<Started, 'commands'>,
  run: (ctx: Ctx) => Promise<T>,
): Promise<T> {
  const now = commands.clock.now();
  const silent = () => {};
  const log = { info: silent, warn: silent, error: silent };
  const actor = { kind: 'system' as const };
  return runUnitOfWork(commands, now, (uow) =>
    run({ ...uow, actor, log, requestId: newId('req', now), address: null }),
  );
}

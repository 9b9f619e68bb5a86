import type { Ctx } from '../context.ts';
import {
  type AppliedTerms,
  applyTerms,
  installation,
  listPrograms,
  previewTerms,
  scheduleTermsCheck,
  showTerms,
  type TenantCursor,
  type TermsScope,
} from '../domain/index.ts';
import type { Commands } from '../http/command.ts';
import { newId } from '../ids.ts';
import { runUnitOfWork } from '../unit-of-work.ts';
import { type Operator, recordByOperator } from './record-by-operator.ts';

/** A request of the command line about the terms. `terms` is the JSON of a file, not checked yet. */
export type TermsRequest =
  | ({
      readonly command: 'terms preview';
      readonly terms: unknown;
      readonly amount_in_cents: number;
      readonly effective?: string;
    } & TermsScope)
  | ({
      readonly command: 'terms apply';
      readonly terms: unknown;
      readonly effective: string;
    } & TermsScope)
  | { readonly command: 'terms list'; readonly pms?: string }
  | { readonly command: 'terms show'; readonly version: string };

/** Runs a command that only reads the terms, or compares them with those of a file. */
export async function readTerms(
  ctx: Ctx,
  request: Exclude<TermsRequest, { readonly command: 'terms apply' }>,
): Promise<object> {
  switch (request.command) {
    case 'terms preview':
      return previewTerms(ctx, request);
    case 'terms list':
      return { items: await listPrograms(ctx.tx, request) };
    case 'terms show':
      return showTerms(ctx.tx, request.version);
  }
}

/** Few enough that a call of the API does not wait for them noticeably. */
const batchSize = 500;

/**
 * Stores a version of the terms with its audit entry, and then schedules the checks of eligibility in
 * short transactions. After an interruption, apply the same terms for the same day again.
 */
export async function applyVersion(
  commands: Commands,
  request: Extract<TermsRequest, { readonly command: 'terms apply' }>,
  by: Operator,
): Promise<Omit<AppliedTerms, 'partner_id'>> {
  const now = commands.clock.now();
  const { partner_id: partnerId, ...applied } = await runUnitOfWork(commands, now, async (uow) => {
    const made = await applyTerms(uow, { ...request, user: by.user, reason: by.reason ?? '' });
    const { version, pms, state, effective_from, sha256 } = made;
    const details = { pms: pms ?? 'all', state: state ?? 'all', effective_from, sha256 };
    const ctx = { ...uow, requestId: newId('req', now), address: null };
    const entry = { action: 'terms.applied', subject_id: version, details } as const;
    await recordByOperator(ctx, { ...by, partnerId: installation }, entry);
    return made;
  });
  const { effective_from: effective } = applied;
  const schedule = (after: TenantCursor): Promise<TenantCursor | undefined> =>
    runUnitOfWork(commands, now, (uow) =>
      scheduleTermsCheck(uow, { partnerId, effective, after, limit: batchSize }),
    );
  let last: TenantCursor | undefined = { partnerId: '', tenantId: '' };
  while (last) last = await schedule(last);
  return applied;
}

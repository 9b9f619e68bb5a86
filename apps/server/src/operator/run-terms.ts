import type { Ctx } from '../context.ts';
import {
  type AuditEntry,
  applyTerms,
  listPrograms,
  previewTerms,
  showTerms,
} from '../domain/index.ts';
import type { Administration } from './administer.ts';
import type { Operator } from './record-by-operator.ts';

export type TermsRequest = Extract<Administration, { readonly command: `terms ${string}` }>;

/** Runs a command about the terms of the product. `record` writes an audit entry of the operator. */
export async function runTerms(
  ctx: Ctx,
  request: TermsRequest,
  { by, record }: { readonly by: Operator; readonly record: (entry: AuditEntry) => Promise<void> },
): Promise<object> {
  switch (request.command) {
    case 'terms preview':
      return previewTerms(ctx, request);
    case 'terms list':
      return { items: await listPrograms(ctx.tx, request) };
    case 'terms show':
      return showTerms(ctx.tx, request.version);
    case 'terms apply': {
      const applied = await applyTerms(ctx, {
        ...request,
        ...{ user: by.user, reason: by.reason ?? '' },
      });
      const { version, pms, state, ...rest } = applied;
      const details = { ...rest, pms: pms ?? 'all', state: state ?? 'all' };
      await record({ action: 'terms.applied', subject_id: version, details });
      return applied;
    }
  }
}

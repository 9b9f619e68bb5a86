import type { Ctx } from '../context.ts';
import {
  type AuditEntry,
  applyTerms,
  listPrograms,
  previewTerms,
  showTerms,
  type TermsScope,
} from '../domain/index.ts';
import type { Operator } from './record-by-operator.ts';

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

import type { OperatorTermsVersionOutput, TermsVersion } from '@svc/contract/operator';
import type { Ctx } from '../../context.ts';
import type { OperatorActor } from '../access/actor.ts';
import { changesOf } from '../offers/preview-terms.ts';
import { findPartnerByPms } from '../partners/find-partner.ts';
import {
  listPrograms,
  loadPrograms,
  resolveTerms,
  type StoredProgram,
  showTerms,
} from '../partners/program-terms.ts';
import { builtInTermsByVersion, defaultTerms } from '../partners/terms.ts';
import { Refusal } from '../refusal.ts';
import { visiblePartners } from './visible-partners.ts';

type Described = Omit<TermsVersion, 'status'>;

/** Lists every version of the terms that the operator may see, the latest effective day first. */
export async function readTerms(ctx: Ctx<OperatorActor>): Promise<{ items: TermsVersion[] }> {
  const [stored, partners] = await Promise.all([
    listPrograms(ctx.tx, {}),
    visiblePartners(ctx.tx, ctx.actor),
  ]);
  const names = new Set(partners.values());
  const visible = stored.filter(({ pms }) => pms === null || names.has(pms)).map(describe);
  const versions = [...visible, builtInTerms];
  const today = ctx.now.toISOString().slice(0, 10);
  return { items: versions.map((it) => ({ ...it, status: statusOf(it, versions, today) })) };
}

/** Reads one version with its terms, and what it changes on its first day. */
export async function readTermsVersion(
  ctx: Ctx<OperatorActor>,
  { version }: { readonly version: string },
): Promise<OperatorTermsVersionOutput> {
  const { items } = await readTerms(ctx);
  const found = items.find((it) => it.version === version);
  // A release may have several built-in versions. Plans may refer to versions that it no longer offers.
  const isBuiltIn = Object.hasOwn(builtInTermsByVersion, version);
  if (!found && !isBuiltIn) {
    throw new Refusal('not_found', { message: `There are no terms ${version}.` });
  }
  const { terms } = await showTerms(ctx.tx, version);
  const shown = found ?? { ...builtInTerms, version, status: 'replaced' as const };
  if (isBuiltIn) return { ...shown, terms, before: null, changes: [] };
  const before = await findBefore(ctx, shown);
  return { ...shown, terms, before: before.version, changes: [...changesOf(before.source, terms)] };
}

const builtInTerms: Described = {
  version: defaultTerms.version,
  pms: null,
  state: null,
  effective_from: null,
  created_at: null,
  created_by: null,
  reason: null,
};

function describe({ terms: _terms, sha256: _sha256, ...it }: StoredProgram): Described {
  return it;
}

/** `versions` are ordered as `readTerms` returns them, so the first one that has begun is in force. */
function statusOf(it: Described, versions: readonly Described[], today: string) {
  if (!hasBegun(it, today)) return 'upcoming';
  const [inForce] = versions.filter(
    (other) => other.pms === it.pms && other.state === it.state && hasBegun(other, today),
  );
  return inForce === it ? 'in_force' : 'replaced';
}

function hasBegun({ effective_from }: Described, today: string): boolean {
  return effective_from === null || effective_from <= today;
}

/** Returns the terms that would apply on a version's first day if it did not exist. */
async function findBefore({ tx }: Ctx, { version, pms, state, effective_from }: Described) {
  const partner = pms === null ? undefined : await findPartnerByPms(tx, pms);
  // No partner has the empty id.
  const programs = await loadPrograms(tx, partner?.id ?? '');
  const others = programs.filter((it) => it.version !== version);
  return resolveTerms(others, { state, today: effective_from ?? '' });
}

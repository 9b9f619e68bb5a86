import { date, json, nullable, type Queryable, type RowOf, row, sql, text } from '@svc/db';
import { z } from 'zod';
import { Refusal } from '../refusal.ts';
import {
  builtInTermsByVersion,
  defaultTerms,
  type ProgramTerms,
  programTerms,
  type Terms,
  toTerms,
} from './terms.ts';

const scheduledSchema = z.object({
  version: z.string(),
  /** Null for all states. */
  state: z.string().nullable(),
  isOfPartner: z.boolean(),
  effectiveFrom: z.string(),
});

/** A version of the terms that may apply to a partner's tenants, and from when. */
export interface Program extends z.infer<typeof scheduledSchema> {
  readonly terms: Terms;
}

/** The column `programs` of a row: what applies to the partner, without the terms themselves. */
export const programsColumn = json(z.array(scheduledSchema).readonly());

/** The versions that may apply to a partner, as JSON for `programsColumn`. The table is small. */
export const programsOf = (partnerId: ReturnType<typeof sql>) => sql`
  coalesce((select json_agg(json_build_object('version', g.version, 'state', g.state,
      'isOfPartner', g.partner_id is not null, 'effectiveFrom', g.effective_from))
    from program_terms g where g.partner_id is null or g.partner_id = ${partnerId}), '[]')`;

const programsRow = row('programs', { programs: programsColumn });

/** Loads the versions that may apply to a partner's tenants. */
export async function loadPrograms(q: Queryable, partnerId: string): Promise<Program[]> {
  const { programs } = await q.one(
    programsRow,
    sql`select ${programsOf(sql`${partnerId}::text`)} as programs`,
  );
  const terms = await loadTerms(
    q,
    programs.map((it) => it.version),
  );
  return programs.map((it) => ({ ...it, terms: terms(it.version) }));
}

/**
 * Returns the terms for a property in `state` on a day there. The most specific version applies: that of the
 * partner and the state, else of the partner, else of the state, else of all. Of several, the one that took
 * effect last applies; of those with the same date, the newest. Pure.
 */
export function resolveTerms(
  programs: readonly Program[],
  { state, today }: { readonly state: string | null; readonly today: string },
): Terms {
  const [first] = programs
    .filter((it) => it.effectiveFrom <= today && (it.state === null || it.state === state))
    .toSorted(byPrecedence);
  return first?.terms ?? defaultTerms;
}

/** Returns the terms of one of these versions, or the built-in ones; undefined if the name is not among them. */
export function termsOfVersion(
  programs: readonly Program[],
  version: string | null,
): Terms | undefined {
  if (version === defaultTerms.version) return defaultTerms;
  return programs.find((it) => it.version === version)?.terms;
}

function byPrecedence(a: Program, b: Program): number {
  if (rank(a) !== rank(b)) return rank(b) - rank(a);
  if (a.effectiveFrom !== b.effectiveFrom) return a.effectiveFrom < b.effectiveFrom ? 1 : -1;
  return a.version < b.version ? 1 : -1;
}

function rank({ isOfPartner, state }: Program): number {
  return (isOfPartner ? 2 : 0) + (state === null ? 0 : 1);
}

// A version never changes, so it is read once per process. There are few: each is an operator's command.
const versionedTerms = new Map<string, Terms>(
  Object.entries(builtInTermsByVersion).map(([version, program]) => [
    version,
    toTerms(version, program),
  ]),
);

const termsRow = row('program terms', { version: text, terms: json(programTerms) });

/** Loads these versions, with one statement if this process has not read all of them before. */
export async function loadTerms(
  q: Queryable,
  versions: readonly string[],
): Promise<(version: string) => Terms> {
  const missing = [...new Set(versions)].filter((it) => !versionedTerms.has(it));
  if (missing.length > 0) {
    const found = await q.many(
      termsRow,
      sql`
      select version, terms from program_terms /* all partners: versions that plans refer to */
      where version = any(${missing}::text[])`,
    );
    for (const { version, terms } of found) versionedTerms.set(version, toTerms(version, terms));
  }
  return (version) => {
    const terms = versionedTerms.get(version);
    if (!terms) throw new Error(`There are no program terms ${version}.`);
    return terms;
  };
}

const programRow = row('stored program terms', {
  version: text,
  pms: nullable(text),
  state: nullable(text),
  effective_from: date,
  terms: json(programTerms),
  sha256: text,
  created_by: text,
  reason: text,
  created_at: text,
});
export type StoredProgram = RowOf<typeof programRow>;

/** The result of `svc-admin terms show`: a stored version, or one that is part of the release. */
type ShownTerms = { readonly version: string; readonly terms: ProgramTerms } & Partial<
  Omit<StoredProgram, 'version' | 'terms'>
>;

/** @throws Refusal if there is no such version; `default` names the built-in one. */
export async function showTerms(q: Queryable, version: string): Promise<ShownTerms> {
  const name = version === 'default' ? defaultTerms.version : version;
  const terms = Object.hasOwn(builtInTermsByVersion, name)
    ? builtInTermsByVersion[name]
    : undefined;
  if (terms) return { version: name, terms };
  const [found] = await listPrograms(q, { version });
  if (found) return found;
  throw new Refusal('not_found', {
    message: `There are no terms ${version}. "svc-admin terms list" lists the versions; "default" names the built-in one.`,
  });
}

/** Lists every stored version, or those that the operator asks for, newest first. */
export function listPrograms(
  q: Queryable,
  { pms, version }: { readonly pms?: string; readonly version?: string },
): Promise<StoredProgram[]> {
  return q.many(
    programRow,
    sql`
    /* many rows: all versions with their partners */
    /* all partners, unless the operator names one */
    select g.version, p.pms, g.state, g.effective_from, g.terms, encode(g.sha256, 'hex') as sha256,
      g.created_by, g.reason,
      to_char(g.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as created_at
    from program_terms g left join partner p on p.id = g.partner_id
    where (${pms ?? null}::text is null or p.pms = ${pms ?? null})
      and (${version ?? null}::text is null or g.version = ${version ?? null})
    order by g.effective_from desc, g.version desc`,
  );
}

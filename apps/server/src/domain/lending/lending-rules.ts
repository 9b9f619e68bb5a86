import type { SvcEnvironment } from '@svc/contract';
import {
  boolean,
  date,
  integer,
  json,
  nullable,
  type Queryable,
  type RowOf,
  row,
  type Sql,
  sql,
  text,
} from '@svc/db';
import { z } from 'zod';
import { stateName } from '../partners/us-states.ts';

/**
 * Counsel's decision for a scope, as stored. A field that is left out leaves the decision to the
 * other rules that apply, and null says that counsel wants no limit.
 */
export const lendingRule = z.strictObject({
  offered: z.boolean().optional(),
  maximum_apr_bps: z.int().min(0).max(100_000).nullable().optional(),
  maximum_fee_in_cents: z.int().min(0).max(500_00).nullable().optional(),
  /** Shown where the tenant agrees, and in the agreement. */
  license: z.string().max(200).nullable().optional(),
});
export type LendingRule = Readonly<z.infer<typeof lendingRule>>;

const storedRow = row('lending rule', {
  id: text,
  number: integer,
  /** Null for all partners. */
  partnerId: nullable(text),
  pms: nullable(text),
  /** Null for all states. */
  state: nullable(text),
  effectiveFrom: date,
  rule: json(lendingRule),
  /** Stored by an upgrade, and not confirmed by the operator yet. */
  carriedOver: boolean,
  createdBy: text,
  reason: text,
});
export type StoredRule = RowOf<typeof storedRow>;

/** The result of the lending rules for one home. */
export interface Lending {
  /** The name of the state, such as `Texas`; null if the portal did not report one that exists. */
  readonly state: string | null;
  /** The reason for which no loan is offered there, whatever it costs; null if one may be offered. */
  readonly refusal: 'state_unknown' | 'not_offered_in_state' | null;
  /** True if the state is listed, but nothing is offered because no rule limits the APR. */
  readonly needsAprLimit: boolean;
  readonly maximumAprBps: number | null;
  readonly maximumFeeInCents: number | null;
  readonly license: string | null;
  /** Set if the Military Lending Act covers the borrower, with the toll-free number that its disclosures name. */
  readonly military: { readonly phone: string | null } | null;
}

/** Lending as it would be without any rule. */
export const unlimited: Lending = {
  state: null,
  refusal: null,
  needsAprLimit: false,
  maximumAprBps: null,
  maximumFeeInCents: null,
  license: null,
  military: null,
};

interface Place {
  readonly partnerId: string | null;
  /** The postal code of the home's state. */
  readonly state: string | null;
  /** The day at the home. */
  readonly today: string;
  readonly environment: SvcEnvironment;
}

/**
 * Combines the rules that apply to a home. In each scope (partner and state, partner, state, all), the rule that took
 * effect last counts. The scopes add up, so that terms for one partner can't lift a limit of a state: one "not
 * offered" is enough, and the lowest limit counts. If no rule says anything, production offers nothing and the sandbox
 * everything. Pure.
 */
export function resolveLending(rules: readonly StoredRule[], place: Place): Lending {
  const applying = rulesFor(rules, place).map((it) => it.rule);
  const says = <K extends keyof LendingRule>(field: K) =>
    applying.flatMap((it) =>
      it[field] === undefined ? [] : [it[field] as NonNullable<LendingRule[K]> | null],
    );
  const offered = says('offered');
  const rates = says('maximum_apr_bps');
  const isSandbox = place.environment === 'sandbox';
  const isListed = offered.every(Boolean) && (isSandbox || offered.length > 0);
  const needsAprLimit = isListed && !isSandbox && rates.length === 0;
  const refusal = isListed && !needsAprLimit ? null : 'not_offered_in_state';
  return {
    state: place.state && stateName(place.state),
    refusal: place.state === null && !isSandbox ? 'state_unknown' : refusal,
    needsAprLimit,
    maximumAprBps: lowest(rates),
    maximumFeeInCents: lowest(says('maximum_fee_in_cents')),
    license: says('license')[0] ?? null,
    military: null,
  };
}

/** Returns the rules that apply to a home, the most specific first. */
function rulesFor(rules: readonly StoredRule[], { partnerId, state, today }: Place): StoredRule[] {
  const ofState = state === null ? [] : [state];
  const ofPartner = partnerId === null ? [] : [partnerId];
  return [...ofPartner, null].flatMap((partner) =>
    [...ofState, null].flatMap((place) => {
      const rule = newestOf(rules, { partnerId: partner, state: place, today });
      return rule ? [rule] : [];
    }),
  );
}

/** Returns the rule of exactly this scope that is in effect on the day. */
export function newestOf(
  rules: readonly StoredRule[],
  { partnerId, state, today }: Pick<Place, 'partnerId' | 'state' | 'today'>,
): StoredRule | undefined {
  return rules
    .filter((it) => it.partnerId === partnerId && it.state === state && it.effectiveFrom <= today)
    .toSorted((a, b) => b.effectiveFrom.localeCompare(a.effectiveFrom) || b.number - a.number)[0];
}

function lowest(limits: readonly (number | null)[]): number | null {
  const numbers = limits.filter((it) => it !== null);
  return numbers.length === 0 ? null : Math.min(...numbers);
}

/** Selects the id of the newest rule, or null if there are none. Snapshots of tenants include it. */
export const newestLendingRule: Sql = sql`(
  select l.id from lending_rule l /* all partners */ order by l.number desc limit 1)`;

// There is a row for each decision of counsel: too much to read for each tenant, and little to keep. Rules are
// stored one after another and never change, so the newest one says whether the cache has all of them.
let cachedRules: readonly StoredRule[] = [];

/** Returns all rules. Reads them again only if `newest` is not the newest one of those read before. */
export async function loadLendingRules(
  q: Queryable,
  newest: string | null,
): Promise<readonly StoredRule[]> {
  if (newest === null) return [];
  if (cachedRules.at(-1)?.id !== newest) cachedRules = await listLendingRules(q);
  return cachedRules;
}

const newestRow = row('newest lending rule', { newest: nullable(text) });

/** Reads the id of the rule that was stored last, in any scope; null before the first. */
export async function readNewestRuleId(q: Queryable): Promise<string | null> {
  const { newest } = await q.one(newestRow, sql`select ${newestLendingRule} as newest`);
  return newest;
}

/** Returns all rules, for a caller that has not read the id of the newest one. */
export async function currentLendingRules(q: Queryable): Promise<readonly StoredRule[]> {
  return loadLendingRules(q, await readNewestRuleId(q));
}

/** Lists all rules, including those of the past, the newest last. */
export function listLendingRules(q: Queryable): Promise<StoredRule[]> {
  return q.many(
    storedRow,
    sql`
    select l.id, l.number, p.pms, l.partner_id, l.state, l.effective_from, l.rule, l.carried_over, l.created_by,
      l.reason
    from lending_rule l left join partner p on p.id = l.partner_id /* all partners */
    order by l.number`,
  );
}

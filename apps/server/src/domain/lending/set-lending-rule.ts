import { sql, type Tx } from '@svc/db';
import type { Ctx } from '../../context.ts';
import { newId } from '../../ids.ts';
import { findTermsScope, type TermsScope } from '../partners/apply-terms.ts';
import { Refusal } from '../refusal.ts';
import {
  currentLendingRules,
  type LendingRule,
  newestOf,
  type StoredRule,
} from './lending-rules.ts';

interface Change extends TermsScope {
  /** Counsel's decision. Fields that are left out keep their value from this scope's current rule. */
  readonly rule: LendingRule;
  /** The first day of the rule, at each home. Defaults to today, so that a state can be closed at once. */
  readonly effective?: string | undefined;
  readonly user: string;
  readonly reason: string;
}

export interface SetRule {
  readonly id: string;
  readonly partner_id: string | null;
  readonly pms: string | null;
  readonly state: string | null;
  readonly effective_from: string;
  readonly rule: LendingRule;
}

/** Stores a rule for the scope. Plans that exist are not affected, and offers on screen are refused at consent. */
export async function setLendingRule(
  ctx: Pick<Ctx, 'tx' | 'now'>,
  { rule: change, effective, user, reason, ...scope }: Change,
): Promise<SetRule> {
  const { partnerId, state } = await findTermsScope(ctx.tx, scope);
  const today = firstDay(ctx.now);
  const effectiveFrom = effective ?? today;
  if (effectiveFrom < today) {
    throw new Refusal('validation_failed', {
      message: `${effectiveFrom} is in the past. The earliest day is ${today}.`,
    });
  }
  const rules = await lockRules(ctx.tx);
  const before = newestOf(rules, { partnerId, state, today: effectiveFrom });
  const rule = { ...before?.rule, ...change };
  const id = await insertRule(ctx, rules, { partnerId, state, effectiveFrom, rule, user, reason });
  const pms = scope.pms ?? null;
  return { id, partner_id: partnerId, pms, state, effective_from: effectiveFrom, rule };
}

interface Confirmation {
  /** The state as the operator wrote it. Defaults to all states that are not confirmed. */
  readonly state?: string | undefined;
  readonly user: string;
  readonly reason: string;
}

/** Stores the rules of an upgrade again, as confirmed by the operator. Returns their states. */
export async function confirmLendingRules(
  ctx: Pick<Ctx, 'tx' | 'now'>,
  { state: given, user, reason }: Confirmation,
): Promise<string[]> {
  const { state } = await findTermsScope(ctx.tx, given === undefined ? {} : { state: given });
  let rules = await lockRules(ctx.tx);
  const toConfirm = unconfirmedRules(rules).filter((it) => state === null || it.state === state);
  for (const { rule, state: confirmed } of toConfirm) {
    const effectiveFrom = firstDay(ctx.now);
    await insertRule(ctx, rules, {
      partnerId: null,
      state: confirmed,
      effectiveFrom,
      rule,
      user,
      reason,
    });
    rules = await currentLendingRules(ctx.tx);
  }
  return toConfirm.flatMap((it) => it.state ?? []);
}

/** Locks the table, so that rules are stored one after another: the newest tells other processes if they know all. */
async function lockRules(tx: Tx): Promise<readonly StoredRule[]> {
  await tx.run(sql`lock table lending_rule in exclusive mode`);
  return currentLendingRules(tx);
}

interface NewRule extends Pick<StoredRule, 'partnerId' | 'state' | 'effectiveFrom' | 'rule'> {
  readonly user: string;
  readonly reason: string;
}

async function insertRule(
  { tx, now }: Pick<Ctx, 'tx' | 'now'>,
  rules: readonly StoredRule[],
  { partnerId, state, effectiveFrom, rule, user, reason }: NewRule,
): Promise<string> {
  const id = newId('lnr', now);
  await tx.run(sql`
    insert into lending_rule (number, id, partner_id, state, effective_from, rule, carried_over, created_by,
      reason, created_at)
    values (${(rules.at(-1)?.number ?? 0) + 1}, ${id}, ${partnerId}, ${state}, ${effectiveFrom},
      ${JSON.stringify(rule)}::jsonb, false, ${user}, ${reason}, ${now})`);
  return id;
}

/** Returns the first day that has not ended everywhere: today in the latest time zone, UTC-12. */
function firstDay(now: Date): string {
  return new Date(now.getTime() - 12 * 3_600_000).toISOString().slice(0, 10);
}

/** Returns the rules that an upgrade has stored, and that have been neither confirmed nor replaced. */
export function unconfirmedRules(rules: readonly StoredRule[]): StoredRule[] {
  return rules.filter(
    (it) =>
      it.carriedOver &&
      !rules.some(
        (other) => other.number > it.number && other.partnerId === null && other.state === it.state,
      ),
  );
}

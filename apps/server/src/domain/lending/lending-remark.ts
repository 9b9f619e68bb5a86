import type { SvcEnvironment } from '@svc/contract';
import type { Queryable } from '@svc/db';
import { allStates, stateName } from '../partners/us-states.ts';
import { currentLendingRules, resolveLending, type StoredRule } from './lending-rules.ts';
import { unconfirmedRules } from './set-lending-rule.ts';

interface When {
  readonly environment: SvcEnvironment;
  readonly now: Date;
}

/** Returns what the operator must decide before production makes loans; null if everything is decided. */
export async function lendingRemark(
  q: Queryable,
  { environment, now }: When,
): Promise<string | null> {
  if (environment === 'sandbox') return null;
  return remarkOn(await currentLendingRules(q), now.toISOString().slice(0, 10));
}

function remarkOn(rules: readonly StoredRule[], today: string): string | null {
  const unconfirmed = unconfirmedRules(rules).flatMap(
    (it) => (it.state && stateName(it.state)) ?? [],
  );
  if (unconfirmed.length > 0) {
    return `The upgrade carried over these states, where plans were made in the last 12 months, without a limit on the APR: ${unconfirmed.join(', ')}. Have counsel look at them, then set limits with "svc-admin lending set", or run "svc-admin lending confirm".`;
  }
  const partners = [null, ...new Set(rules.flatMap((it) => it.partnerId ?? []))];
  const homes = allStates.map((state) =>
    partners.map((partnerId) =>
      resolveLending(rules, { partnerId, state, today, environment: 'production' }),
    ),
  );
  const closed = homes.filter((it) => it.every(({ refusal }) => refusal !== null));
  const undecided = closed.filter((it) => it.some(({ needsAprLimit }) => needsAprLimit));
  const names = undecided.flatMap(([lending]) => lending?.state ?? []);
  if (names.length > 0) {
    const where = names.length === allStates.length ? 'all states' : names.join(', ');
    return `These states are listed, but no limit on the APR is set there, so no tenant is offered a plan: ${where}. Set one with "svc-admin lending set --maximum-apr-bps 3600", or "none".`;
  }
  if (closed.length === homes.length) {
    return 'No state is listed, so no tenant is offered a plan. List one with "svc-admin lending set --state TX --offered yes --maximum-apr-bps 3600".';
  }
  return null;
}

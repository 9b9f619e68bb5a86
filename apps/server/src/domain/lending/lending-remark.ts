import type { SvcEnvironment } from '@svc/contract';
import type { Queryable } from '@svc/db';
import { stateName } from '../partners/us-states.ts';
import { currentLendingRules, type StoredRule } from './lending-rules.ts';
import { unconfirmedRules } from './set-lending-rule.ts';

/** Says what the operator must decide before production makes loans. Null if everything is decided. */
export async function lendingRemark(
  q: Queryable,
  environment: SvcEnvironment,
): Promise<string | null> {
  return environment === 'sandbox' ? null : remarkOn(await currentLendingRules(q));
}

function remarkOn(rules: readonly StoredRule[]): string | null {
  const states = unconfirmedRules(rules).flatMap((it) => (it.state && stateName(it.state)) ?? []);
  if (states.length > 0) {
    return `The upgrade carried over these states, where plans were made in the last 12 months, without a limit on the APR: ${states.join(', ')}. Have counsel look at them, then set limits with "svc-admin lending set", or run "svc-admin lending confirm".`;
  }
  if (!rules.some(({ rule }) => rule.offered === true)) {
    return 'No state is listed, so no tenant is offered a plan. List one with "svc-admin lending set --state TX --offered yes --maximum-apr-bps 3600".';
  }
  if (!rules.some(({ rule }) => rule.maximum_apr_bps !== undefined)) {
    return 'No limit on the APR is set, so no tenant is offered a plan. Set one with "svc-admin lending set --maximum-apr-bps 3600", or "none".';
  }
  return null;
}

import type { ExperienceState, PlanManagement, PlanOutput } from '@svc/contract';
import type { Words } from './en.ts';

/** Who gets the money, inside a sentence: the property's name, or what it is to the tenant. */
export function payeeOf({ tenant }: ExperienceState, words: Words): string {
  return tenant.property_name ?? words.product[tenant.product_variant].payee;
}

/** The same word at a sentence's beginning. */
export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** What is due this month: rent, a share of it on a shared lease, or dues. */
export function productOf({ tenant }: Pick<ExperienceState, 'tenant'>, { product }: Words) {
  return product[nounOf(tenant.product_variant, tenant.shares_lease)];
}

/** What a plan pays, as it was when the plan was made. */
export function productOfPlan({ plan, management }: Planned, { product }: Words) {
  return product[nounOf(plan.product_variant, management.shares_lease)];
}

interface Planned {
  plan: Pick<PlanOutput, 'product_variant'>;
  management: Pick<PlanManagement, 'shares_lease'>;
}

function nounOf(variant: PlanOutput['product_variant'], isShared: boolean) {
  return variant === 'rent' && isShared ? 'share' : variant;
}

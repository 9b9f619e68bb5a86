import type { ExperienceState } from '@svc/contract';
import type { Words } from './en.ts';

/** Who gets the money, inside a sentence: the property's name, or what it is to the tenant. */
export function payeeOf({ tenant }: ExperienceState, words: Words): string {
  return tenant.property_name ?? words.product[tenant.product_variant].payee;
}

/** The same word at a sentence's beginning. */
export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** What the tenant pays for: the plan's, else this month's; on a shared lease a share of the rent. */
export function productOf({ tenant }: ExperienceState, { product }: Words, plan: Plan = tenant) {
  const variant = plan.product_variant;
  return product[variant === 'rent' && tenant.shares_lease ? 'share' : variant];
}

type Plan = Pick<ExperienceState['tenant'], 'product_variant'>;

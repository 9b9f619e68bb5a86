import { usageFailure } from './failure.ts';

/** Whether the tenants of a portal pay rent, or dues to an association. */
export type Variant = 'rent' | 'hoa';

export function parseVariant(text: string): Variant {
  if (text === 'rent' || text === 'hoa') return text;
  throw usageFailure(`"${text}" is not a variant.`, 'Use --variant rent or --variant hoa.');
}

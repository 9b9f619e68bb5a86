import { usageFailure } from './failure.ts';

/** The kind of payment of a portal's tenants: rent, or dues to an association (`hoa`). */
export type Variant = 'rent' | 'hoa';

export function parseVariant(text: string): Variant {
  if (text === 'rent' || text === 'hoa') return text;
  throw usageFailure(`"${text}" is not a variant.`, 'Use --variant rent or --variant hoa.');
}

import type { ExperienceState } from '@svc/contract';
import type { Words } from './en.ts';

/** What a charge is called: as the portal says, else by its type. */
export function chargeName(
  { description, type }: ExperienceState['charges'][number],
  { offer: { chargeTypes } }: Words,
): string {
  if (description !== null) return description;
  return Object.hasOwn(chargeTypes, type)
    ? chargeTypes[type as keyof typeof chargeTypes]
    : chargeTypes.other;
}

import { isDeepStrictEqual } from 'node:util';
import type { PortalInfoInput } from '@svc/contract';
import type { Charge } from '../charges/charge.ts';
import type { Lease, Tenant } from '../tenants/tenant.ts';

export function newTenant(id: string, partnerId: string, externalId: string): Tenant {
  return {
    id,
    partnerId,
    externalId,
    firstName: null,
    lastName: null,
    email: null,
    phoneNumber: null,
    productVariant: null,
    lease: null,
    timeZone: 'UTC',
    returnUrl: null,
    metadata: {},
    underwritingResult: null,
    declineReasons: [],
    simulatedCycleDate: null,
    clockOffsetMs: null,
    pendingFailures: [],
    eligibilityState: null,
    eligibilityReason: null,
    eligibilityChangesMs: null,
    version: 1,
  };
}

/** Merges a report: an omitted field keeps its value, null clears it. The lease and its property are merged in this way, too. */
export function mergeTenant(known: Tenant, input: PortalInfoInput): Tenant {
  const lease = mergeLease(known.lease, input.lease);
  return {
    ...known,
    firstName: input.first_name,
    lastName: input.last_name,
    email: input.email,
    phoneNumber: keep(input.phone_number, known.phoneNumber),
    productVariant: keep(input.product_variant, known.productVariant),
    lease,
    timeZone: lease?.property?.time_zone ?? 'UTC',
    returnUrl: keep(input.return_url, known.returnUrl),
    metadata: keep(input.metadata, known.metadata) ?? {},
  };
}

/** The names of the portal's fields that differ. */
export function changedFields(
  before: Tenant,
  chargesBefore: readonly Charge[],
  after: Tenant,
  chargesAfter: readonly Charge[],
): string[] {
  const pairs: [string, unknown, unknown][] = [
    ['first_name', before.firstName, after.firstName],
    ['last_name', before.lastName, after.lastName],
    ['email', before.email, after.email],
    ['phone_number', before.phoneNumber, after.phoneNumber],
    ['product_variant', before.productVariant, after.productVariant],
    ['charges', chargesBefore, chargesAfter],
    ['lease', before.lease, after.lease],
    ['return_url', before.returnUrl, after.returnUrl],
    ['metadata', before.metadata, after.metadata],
  ];
  return pairs.filter(([, old, fresh]) => !isDeepStrictEqual(old, fresh)).map(([name]) => name);
}

function mergeLease(known: Lease | null, given: Lease | null | undefined): Lease | null {
  if (given === undefined) return known;
  if (given === null) return null;
  // Another lease id means another home, so nothing of the old lease is kept.
  const base = known?.id === given.id ? known : null;
  const property =
    given.property && base?.property?.id === given.property.id
      ? { ...base.property, ...given.property }
      : keep(given.property, base?.property ?? null);
  return { ...base, ...given, property };
}

function keep<T>(given: T | null | undefined, known: T | null): T | null {
  return given === undefined ? known : given;
}

import { isDeepStrictEqual } from 'node:util';
import type { PortalInfoInput } from '@svc/contract';
import type { Charge } from '../charges/charge.ts';
import { nothingStored, type PersonalData } from '../tenants/personal-data.ts';
import type { Lease, Tenant } from '../tenants/tenant.ts';

export function newTenant(id: string, partnerId: string, externalId: string): Tenant {
  return {
    id,
    partnerId,
    externalId,
    personal: nothingStored,
    paydaysSealed: null,
    productVariant: null,
    lease: null,
    timeZone: 'UTC',
    returnUrl: null,
    metadata: {},
    underwritingResult: null,
    declineReasons: [],
    simulatedCycleDate: null,
    simulatedTermsVersion: null,
    clockOffsetMs: null,
    pendingFailures: [],
    eligibilityState: null,
    eligibilityReason: null,
    eligibilityChangesMs: null,
    version: 1,
  };
}

/**
 * Merges a report, without the personal data: an omitted field keeps its value, and null clears it. The lease and its
 * property are merged in the same way.
 */
export function mergeTenant(known: Tenant, input: PortalInfoInput): Tenant {
  const lease = mergeLease(known.lease, input.lease);
  return {
    ...known,
    productVariant: keepKnown(input.product_variant, known.productVariant),
    lease,
    timeZone: lease?.property?.time_zone ?? 'UTC',
    returnUrl: keepKnown(input.return_url, known.returnUrl),
    metadata: keepKnown(input.metadata, known.metadata) ?? {},
  };
}

/** Merges the personal data of a report in the way that `mergeTenant` merges the rest. */
export function mergePersonal(known: PersonalData | null, input: PortalInfoInput): PersonalData {
  return {
    firstName: input.first_name,
    lastName: input.last_name,
    email: input.email,
    phoneNumber: keepKnown(input.phone_number, known?.phoneNumber ?? null),
  };
}

interface Reported {
  readonly tenant: Tenant;
  readonly personal: PersonalData;
  readonly charges: readonly Charge[];
}

/** Returns the names of the portal's fields that differ. */
export function changedFields(before: Reported, after: Reported): string[] {
  const pairs: [string, unknown, unknown][] = [
    ['first_name', before.personal.firstName, after.personal.firstName],
    ['last_name', before.personal.lastName, after.personal.lastName],
    ['email', before.personal.email, after.personal.email],
    ['phone_number', before.personal.phoneNumber, after.personal.phoneNumber],
    ['product_variant', before.tenant.productVariant, after.tenant.productVariant],
    ['charges', before.charges, after.charges],
    ['lease', before.tenant.lease, after.tenant.lease],
    ['return_url', before.tenant.returnUrl, after.tenant.returnUrl],
    ['metadata', before.tenant.metadata, after.tenant.metadata],
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
      : keepKnown(given.property, base?.property ?? null);
  return { ...base, ...given, property };
}

function keepKnown<T>(given: T | null | undefined, known: T | null): T | null {
  return given === undefined ? known : given;
}

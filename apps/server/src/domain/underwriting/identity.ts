import type { Vault } from '@svc/runtime';
import { openPersonal, type StoredPersonal } from '../tenants/personal-data.ts';
import type { Lease } from '../tenants/tenant.ts';

/** The facts about a tenant that a request to the decision service can contain. The operator chooses each. */
export const identityFields = [
  'name',
  'birth_date',
  'address',
  'email',
  'phone',
  'ssn_last4',
  'ssn',
] as const;
type IdentityField = (typeof identityFields)[number];
export type IdentityFields = readonly IdentityField[];

/** The number of digits of the Social Security number the application asks for. Null if it asks for none. */
export function ssnDigits(fields: IdentityFields): 4 | 9 | null {
  if (fields.includes('ssn')) return 9;
  return fields.includes('ssn_last4') ? 4 : null;
}

/** The applicant as stored, encrypted. */
export interface SealedApplicant {
  readonly applicationId: string;
  readonly tenantId: string;
  readonly personal: StoredPersonal;
  readonly lease: Lease | null;
  readonly dateOfBirthSealed: Buffer;
  readonly ssnSealed: Buffer | null;
}

/** Returns the fields that the operator chose, for a request to the decision service. Unknown values are null. */
export function identityOf(vault: Vault, fields: IdentityFields, applicant: SealedApplicant) {
  if (fields.length === 0) return undefined;
  const { applicationId, tenantId, lease, ssnSealed } = applicant;
  const person = openPersonal(vault, tenantId, applicant.personal);
  const { line1, line2, city, state, postal_code } = lease?.property ?? {};
  const ssn = ssnSealed && vault.open(ssnSealed, applicationId);
  const values: Readonly<Record<IdentityField, () => unknown>> = {
    name: () => person && { first: person.firstName, last: person.lastName },
    birth_date: () => vault.open(applicant.dateOfBirthSealed, applicationId) || null,
    address: () => ({
      line1: line1 ?? null,
      line2: line2 ?? null,
      city: city ?? null,
      state: state ?? null,
      postal_code: postal_code ?? null,
    }),
    email: () => person?.email ?? null,
    phone: () => person?.phoneNumber ?? null,
    ssn_last4: () => ssn?.slice(-4) ?? null,
    // An application from before the setting changed has only four digits.
    ssn: () => (ssn?.length === 9 ? ssn : null),
  };
  return Object.fromEntries(fields.map((field) => [field, values[field]()]));
}

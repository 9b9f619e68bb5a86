import type { ProductVariant } from '@svc/contract';
import type { PortalInfo } from '@svc/node';
import { type Scenario, scenarios } from './scenarios.ts';

/** A person the demo can sign in as. */
export interface Resident {
  /** The tenant ID sent to Svc. Not the lease ID. */
  id: string;
  /** The point in a plan's life that this tenant is taken to. Without one, the visitor starts from the beginning. */
  scenario?: Scenario;
  firstName: string;
  lastName: string;
  email: string;
  phone: string;
  variant: ProductVariant;
  underwriting: 'WILL_BE_APPROVED' | 'WILL_BE_DECLINED';
  /** Whether the page loads the tenant token before the click. */
  preload: boolean;
  /** The case that this resident demonstrates. */
  shows: string;
  unit: string;
  lease: { id: string; startsOn: string; endsOn: string | null };
  property: Property;
  /** Charges due on the first of each month, in cents. */
  monthly: { key: string; type: ChargeType; description: string; amount: number }[];
}

type ChargeType = NonNullable<PortalInfo['charges'][number]['type']>;

export interface Property {
  id: string;
  name: string;
  line1: string;
  city: string;
  state: string;
  postalCode: string;
  timeZone: string;
}

const mapleCourt: Property = {
  id: 'P-9',
  name: 'Maple Court',
  line1: '418 Maple Court',
  city: 'Austin',
  state: 'TX',
  postalCode: '78701',
  timeZone: 'America/Chicago',
};

const mapleRidge: Property = {
  id: 'P-14',
  name: 'Maple Ridge Homeowners Association',
  line1: '7 Ridge Road',
  city: 'Denver',
  state: 'CO',
  postalCode: '80202',
  timeZone: 'America/Denver',
};

export const residents: readonly Resident[] = [
  {
    id: 'res-1042',
    firstName: 'Ada',
    lastName: 'Lane',
    email: 'ada.lane@example.com',
    phone: '+15125550142',
    variant: 'rent',
    underwriting: 'WILL_BE_APPROVED',
    preload: false,
    shows: 'Rent, approved',
    unit: 'Unit 4B',
    lease: { id: 'L-3311', startsOn: '2025-06-01', endsOn: null },
    property: mapleCourt,
    monthly: [
      { key: 'rent', type: 'rent', description: 'Rent', amount: 147_500 },
      { key: 'water', type: 'utility', description: 'Water and sewer', amount: 4_512 },
    ],
  },
  {
    id: 'res-1077',
    firstName: 'Ben',
    lastName: 'Ortiz',
    email: 'ben.ortiz@example.com',
    phone: '+15125550177',
    variant: 'rent',
    underwriting: 'WILL_BE_DECLINED',
    preload: false,
    shows: 'Rent, declined',
    unit: 'Unit 2A',
    lease: { id: 'L-3402', startsOn: '2025-09-01', endsOn: null },
    property: mapleCourt,
    monthly: [
      { key: 'rent', type: 'rent', description: 'Rent', amount: 118_000 },
      { key: 'parking', type: 'fee', description: 'Covered parking', amount: 6_000 },
    ],
  },
  {
    id: 'own-2210',
    firstName: 'Carol',
    lastName: 'Whitfield',
    email: 'carol.whitfield@example.com',
    phone: '+13035550110',
    variant: 'hoa',
    underwriting: 'WILL_BE_APPROVED',
    preload: false,
    shows: 'Association dues',
    unit: 'Lot 17',
    lease: { id: 'M-0117', startsOn: '2021-04-01', endsOn: null },
    property: mapleRidge,
    monthly: [
      { key: 'dues', type: 'hoa_dues', description: 'Association dues', amount: 38_500 },
      { key: 'roof', type: 'hoa_assessment', description: 'Roof assessment', amount: 24_000 },
    ],
  },
  {
    id: 'res-1103',
    firstName: 'Dev',
    lastName: 'Patel',
    email: 'dev.patel@example.com',
    phone: '+15125550103',
    variant: 'rent',
    underwriting: 'WILL_BE_APPROVED',
    preload: true,
    shows: 'Token preloaded',
    unit: 'Unit 11C',
    lease: { id: 'L-3519', startsOn: '2025-02-01', endsOn: null },
    property: mapleCourt,
    monthly: [{ key: 'rent', type: 'rent', description: 'Rent', amount: 186_550 }],
  },
];

/**
 * Finds a resident by ID. Each scenario has its own tenant with the same person, such as
 * `res-1042.past_due`, so a visitor can switch between scenarios without a reset.
 */
export function findResident(id: string): Resident | undefined {
  const [personId, name] = id.split('.', 2);
  const person = residents.find((resident) => resident.id === personId);
  if (!person || id === personId) return person;
  const scenario = scenarios.find((one) => one === name);
  return scenario && { ...person, id: `${personId}.${scenario}`, scenario };
}

import {
  type PaymentMethodInput,
  type PaymentMethodType,
  type PortalInfoInput,
  type ProductVariant,
  testBankAccounts,
  testCards,
  testRoutingNumber,
} from '@svc/contract';
import type { Charge } from '../charges/charge.ts';
import type { PaymentMethod } from '../payments/payment-methods.ts';
import type { PersonalData } from '../tenants/personal-data.ts';
import type { Tenant } from '../tenants/tenant.ts';
import type { Situation } from './situation.ts';

// Sample portal_info and application data, for a scenario whose tenant has not been reported yet.

/** [id, type, description, cents] of the charges, and the name of the property. */
const invented = {
  rent: {
    charges: [
      ['rent', 'rent', 'Rent', 148_500],
      ['parking', 'fee', 'Parking', 7_500],
    ],
    property: 'Elm Court',
  },
  hoa: {
    charges: [
      ['dues', 'hoa_dues', 'Association dues', 38_500],
      ['roof', 'hoa_assessment', 'Roof assessment', 24_000],
    ],
    property: 'Cedar Hill Homeowners Association',
  },
} as const;

/** A report of the kind that a portal sends: two charges that are due on one day. */
export function inventReport(dueDate: string, variant: ProductVariant): PortalInfoInput {
  const month = dueDate.slice(0, 7);
  const { charges, property } = invented[variant];
  return {
    first_name: 'Riley',
    last_name: 'Carter',
    email: 'riley.carter@example.com',
    phone_number: '+15125550142',
    product_variant: variant,
    charges: charges.map(([id, type, description, amount_in_cents]) => ({
      id: `${id}-${month}`,
      type,
      description,
      due_date: dueDate,
      amount_in_cents,
      amount_paid_in_cents: 0,
    })),
    lease: {
      id: 'scenario-lease',
      payments_enabled: true,
      partial_payments_allowed: false,
      starts_on: `${Number(dueDate.slice(0, 4)) - 1}-06-01`,
      property: {
        id: 'scenario-property',
        name: property,
        line1: '1 Elm Street',
        city: 'Austin',
        state: 'TX',
        postal_code: '78701',
        time_zone: 'America/Chicago',
      },
    },
  };
}

/** Repeats the last report about a tenant, with a lease that has ended. */
export function reportOfEndedLease(
  { tenant, charges, personal }: KnownTenant,
  endedOn: string,
): PortalInfoInput {
  return {
    first_name: personal.firstName,
    last_name: personal.lastName,
    email: personal.email,
    charges: charges.map((it) => ({
      id: it.id,
      type: it.type as NonNullable<PortalInfoInput['charges'][number]['type']>,
      description: it.description,
      due_date: it.dueDate,
      amount_in_cents: it.amountInCents,
      amount_paid_in_cents: it.amountPaidInCents,
    })),
    lease: { ...tenant.lease, id: tenant.lease?.id ?? 'scenario-lease', ends_on: endedOn },
  };
}

interface KnownTenant {
  readonly tenant: Tenant;
  readonly personal: PersonalData;
  readonly charges: readonly Charge[];
}

const tenantAge = 36;

/** The tenant's answers in the application. The clock may show any year, and the tenant is an adult in each. */
export function applicationAt({ at }: Situation) {
  return {
    date_of_birth: `${at.getUTCFullYear() - tenantAge}-04-01`,
    monthly_income_in_cents: 620_000,
    consent: true,
  } as const;
}

const accountNumber = testBankAccounts.find((it) => it.outcome === 'succeeds')?.account_number;
const cardNumber = testCards.find((it) => it.outcome === 'succeeds')?.number;

/** The account or card of the sandbox whose payments succeed. */
export function testInstrument(type: PaymentMethodType, { at }: Situation): PaymentMethodInput {
  if (type === 'card') {
    const expires = `${at.getUTCFullYear() + 3}-12`;
    return { type, number: cardNumber ?? '', expires, cvc: '123' };
  }
  return {
    type,
    routing_number: testRoutingNumber,
    account_number: accountNumber ?? '',
    account_type: 'checking',
  };
}

/** Returns whether the method is the one asked for: any if no type was named, else that of `testInstrument`. */
export function paysAsAsked(
  method: Pick<PaymentMethod, 'type' | 'last4'> | null,
  asked: PaymentMethodType | undefined,
): boolean {
  if (!method || asked === undefined) return method !== null;
  const number = asked === 'card' ? cardNumber : accountNumber;
  return method.type === asked && method.last4 === number?.slice(-4);
}

import type { PortalInfo } from '@svc/node';
import type { Resident } from '../residents.ts';
import { chargesDue, type Payment } from './account.ts';
import { type Day, lateFeeFrom, nextFirst } from './calendar.ts';

/** Builds the portal_info that the portal sends to Svc: the charges due next and the lease. */
export function portalInfoFor(
  today: Day,
  resident: Resident,
  payments: readonly Payment[],
  returnUrl: string,
): PortalInfo {
  const due = nextFirst(today);
  const { lease, property } = resident;
  return {
    first_name: resident.firstName,
    last_name: resident.lastName,
    email: resident.email,
    phone_number: resident.phone,
    product_variant: resident.variant,
    charges: chargesDue(resident, due, payments),
    lease: {
      id: lease.id,
      payments_enabled: true,
      starts_on: lease.startsOn,
      ends_on: lease.endsOn,
      late_fee_from: lateFeeFrom(due),
      property: {
        id: property.id,
        name: property.name,
        line1: property.line1,
        city: property.city,
        state: property.state,
        postal_code: property.postalCode,
        time_zone: property.timeZone,
      },
    },
    return_url: returnUrl,
  };
}

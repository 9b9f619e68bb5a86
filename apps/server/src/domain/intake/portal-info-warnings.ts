import type { PortalInfoInput, SvcEnvironment, Warning } from '@svc/contract';
import type { Position, TenantSnapshot } from '../eligibility/load-tenant-snapshot.ts';
import { simulationWarnings } from '../eligibility/simulation-warnings.ts';
import { addDays } from '../tenants/calendar.ts';
import type { Tenant } from '../tenants/tenant.ts';

/** Returns warnings about input that was accepted but is probably a mistake. Each says what to do about it. */
export function portalInfoWarnings(
  { tenant, bouncesSince }: Pick<TenantSnapshot, 'tenant' | 'bouncesSince'>,
  position: Position,
  input: PortalInfoInput,
  environment: SvcEnvironment,
): Warning[] {
  const warnings = [
    ...simulationWarnings(tenant, position),
    ...outsideWindow(tenant, position, environment),
  ];
  if (input.lease?.id === tenant.externalId) {
    warnings.unshift({
      code: 'external_id_equals_lease_id',
      param: 'lease.id',
      message: 'external_id must be the tenant’s id, not the lease’s: roommates share a lease.',
    });
  }
  warnings.unshift(...otherVariant(tenant, input));
  if (bouncesSince) {
    warnings.unshift({
      code: 'email_bounces',
      param: 'email',
      message: `The mail server of this address has refused our mails since ${bouncesSince.toISOString().slice(0, 10)}, so the tenant gets no receipts, reminders or notices by mail. Ask the tenant for another address.`,
    });
  }
  const lending = lendingWarning(position);
  if (lending) warnings.unshift(lending);
  if (!position.takesPayments) {
    warnings.unshift({
      code: 'payments_unavailable',
      param: null,
      message:
        'No payment processor is set up on this service, so no tenant can apply for a plan. The widget and the experience say that this is not available. Ask the operator of the service.',
    });
  }
  return warnings;
}

/** Warns about a charge whose type belongs to the other variant, such as one copied from an example for rent. */
function otherVariant({ productVariant }: Tenant, { charges }: PortalInfoInput): Warning[] {
  const isOwner = productVariant === 'hoa';
  const index = charges.findIndex(({ type }) =>
    isOwner ? type === 'rent' : type === 'hoa_dues' || type === 'hoa_assessment',
  );
  if (index === -1) return [];
  const has = `This charge has the type ${charges[index]?.type}`;
  return [
    {
      code: 'charge_of_other_variant',
      param: `charges.${index}.type`,
      message: isOwner
        ? `${has}, but product_variant is hoa. The owner sees it as dues. Send hoa_dues, or no type.`
        : productVariant === 'rent'
          ? `${has}, but product_variant is rent, so the tenant reads about rent. Send "product_variant": "hoa", and set it in the widget too.`
          : `${has}, but product_variant is missing, so the tenant counts as one who pays rent until an application from a widget that says hoa. Send "product_variant": "hoa".`,
    },
  ];
}

/** Warns if the operator makes no such loan where the home is, or if we don't know where it is. */
function lendingWarning({ lending, eligibility }: Position): Warning | null {
  switch (eligibility.reason) {
    case 'state_unknown':
      return {
        code: 'state_unknown',
        param: 'lease.property.state',
        message:
          'The state of the home decides whether a plan may be offered, and it is missing or is no state of the US, so none is offered. Send it as a postal code such as TX.',
      };
    case 'not_offered_in_state':
    case 'cost_above_limit':
      return {
        code: eligibility.reason,
        param: 'lease.property.state',
        message:
          eligibility.reason === 'cost_above_limit'
            ? `In ${lending.state ?? 'this state'}, the operator limits what a plan may cost, and a plan for this amount would cost more. Nothing in the call needs to change.`
            : `The operator of the service does not offer plans in ${lending.state ?? 'this state'}. Nothing in the call needs to change.`,
      };
    default:
      return null;
  }
}

/**
 * Warns if the balance is due, but today is outside the days on which it can be split. Integrations most
 * often meet this with a due date copied from the docs, so the sandbox names the call that helps.
 */
function outsideWindow(
  { externalId }: Tenant,
  { cycle, eligibility, terms }: Position,
  environment: SvcEnvironment,
): Warning[] {
  if (eligibility.state !== 'cycle_closed' || !cycle) return [];
  const { dueDate } = cycle;
  const opensOn = addDays(dueDate, -terms.opensDaysBefore);
  const closesOn = addDays(dueDate, terms.closesDaysAfter);
  const early = cycle.state === 'upcoming';
  const when = early
    ? `The charges due on ${dueDate} can be split from ${opensOn} to ${closesOn}. The tenant cannot split them before that.`
    : `The charges due on ${dueDate} could be split until ${closesOn}.`;
  const rehearse =
    environment === 'sandbox'
      ? ` To rehearse now, call POST /simulation/${encodeURIComponent(externalId)}/set_underwriting_result with "rent_cycle_date": "${dueDate}".`
      : '';
  return [
    {
      code: early ? 'window_not_open' : 'window_closed',
      param: 'charges',
      message: when + rehearse,
    },
  ];
}

import type { PaymentMethodType, PortalInfoInput, Scenario } from '@svc/contract';
import { testBankAccounts, testCards } from '@svc/contract';
import { addDays, dayOfWeek, monthOf } from '../../domain/tenants/calendar.ts';
import { silentAccount } from '../../processors/simulator/test-instruments.ts';
import {
  cedar,
  type DemoPartner,
  type DemoProperty,
  firstNames,
  harbor,
  lastNames,
  summit,
} from './demo-partners.ts';

/** A step that follows the scenario of a tenant's last rent. */
export type Afterwards =
  | 'time_passes'
  | 'stops_paying'
  | 'pays_what_is_late'
  | 'waits_for_bank'
  | 'cancels'
  | 'chooses_paper'
  | 'turns_autopay_off'
  | 'debit_fails'
  | 'debit_is_returned'
  | 'operator_refunds'
  | 'operator_refunds_in_vain'
  | 'operator_records_return'
  | 'is_erased';

/**
 * When the rent of the last plan is due: some months ago, on a day that the tenant's clock stays on, or for a
 * tenant in real time in two days or next month.
 */
type LastRent = number | 'today' | 'friday' | 'soon' | 'next';

interface Kind {
  /** How many of 200 tenants are of this kind. */
  readonly count: number;
  readonly lastRent: LastRent;
  /** Up to this many months before `lastRent`, different for each tenant. */
  readonly spread?: number;
  /** The number of plans in earlier months, each paid off. */
  readonly earlier: number;
  readonly scenarios: readonly Scenario[];
  readonly pays?: PaymentMethodType;
  /** The number of a sandbox account or card, which decides the outcome of its payments. */
  readonly account?: string;
  readonly after?: readonly Afterwards[];
  /** Set if the portal must be one that debits us for its settlements. */
  readonly needsDebit?: true;
  readonly bounces?: true;
}

const untilToday = ['time_passes'] as const;

/**
 * The kinds of tenants, chosen so that each list of the operator has entries. The first tenants have one of each
 * kind.
 */
export const demoTenantKinds = {
  waiting: { count: 14, lastRent: 'next', earlier: 0, scenarios: [] },
  applied: { count: 4, lastRent: 'today', earlier: 0, scenarios: ['applied'] },
  in_review: { count: 6, lastRent: 'today', earlier: 0, scenarios: ['in_review'] },
  approved: { count: 5, lastRent: 'today', earlier: 1, scenarios: ['approved'] },
  declined: { count: 6, lastRent: 'today', earlier: 0, scenarios: ['declined'] },
  first_payment_failed: {
    count: 4,
    lastRent: 'today',
    earlier: 0,
    scenarios: ['first_payment_failed'],
  },
  bank_has_not_answered: {
    count: 3,
    lastRent: 'friday',
    earlier: 0,
    scenarios: ['approved'],
    account: accountThat('waits'),
    after: ['waits_for_bank'],
  },
  canceled: {
    count: 2,
    lastRent: 'friday',
    earlier: 0,
    scenarios: ['approved'],
    account: accountThat('waits'),
    after: ['waits_for_bank', 'cancels'],
  },
  running: { count: 34, lastRent: 0, earlier: 1, scenarios: ['settled'], after: untilToday },
  running_by_card: {
    count: 16,
    lastRent: 0,
    earlier: 0,
    scenarios: ['settled'],
    pays: 'card',
    after: untilToday,
  },
  paid_off: {
    count: 30,
    lastRent: 1,
    spread: 4,
    earlier: 0,
    scenarios: ['settled'],
    after: untilToday,
  },
  installment_failed: { count: 8, lastRent: 0, earlier: 1, scenarios: ['installment_failed'] },
  past_due: {
    count: 6,
    lastRent: 2,
    earlier: 0,
    scenarios: ['past_due'],
    after: ['stops_paying'],
  },
  long_past_due: {
    count: 5,
    lastRent: 3,
    earlier: 0,
    scenarios: ['past_due'],
    after: ['stops_paying'],
  },
  charged_off: { count: 5, lastRent: 6, earlier: 0, scenarios: ['charged_off'], after: untilToday },
  recovered: {
    count: 3,
    lastRent: 3,
    earlier: 0,
    scenarios: ['past_due'],
    after: ['pays_what_is_late', 'time_passes'],
  },
  refunded: {
    count: 5,
    lastRent: 1,
    spread: 3,
    earlier: 0,
    scenarios: ['refunded'],
    after: untilToday,
    needsDebit: true,
  },
  refunded_by_operator: {
    count: 2,
    lastRent: 1,
    earlier: 0,
    scenarios: ['settled'],
    after: ['time_passes', 'operator_refunds'],
  },
  returned: { count: 4, lastRent: 0, earlier: 1, scenarios: ['disputed'], after: untilToday },
  charged_back: {
    count: 3,
    lastRent: 0,
    earlier: 1,
    scenarios: ['disputed'],
    pays: 'card',
    after: untilToday,
  },
  dispute_won: {
    count: 2,
    lastRent: 2,
    earlier: 0,
    scenarios: ['settled'],
    account: cardWonAfterDispute(),
    after: untilToday,
  },
  returned_late: {
    count: 2,
    lastRent: 2,
    earlier: 0,
    scenarios: ['settled'],
    account: accountThat('taken_back'),
    after: untilToday,
  },
  returned_by_letter: {
    count: 2,
    lastRent: 1,
    earlier: 0,
    scenarios: ['settled'],
    after: ['time_passes', 'operator_records_return'],
  },
  debit_failed: {
    count: 4,
    lastRent: 0,
    earlier: 0,
    scenarios: ['split'],
    after: ['debit_fails', 'time_passes'],
    needsDebit: true,
  },
  debit_returned: {
    count: 2,
    lastRent: 0,
    earlier: 0,
    scenarios: ['settled'],
    after: ['debit_is_returned', 'time_passes'],
    needsDebit: true,
  },
  moved_out: {
    count: 5,
    lastRent: 1,
    spread: 3,
    earlier: 0,
    scenarios: ['settled', 'moved_out'],
    after: untilToday,
  },
  deposited_short: {
    count: 2,
    lastRent: 0,
    earlier: 0,
    scenarios: ['settled'],
    account: accountThat('deposits_short'),
    after: untilToday,
  },
  mail_bounces: {
    count: 3,
    lastRent: 0,
    earlier: 0,
    scenarios: ['settled'],
    after: untilToday,
    bounces: true,
  },
  // In real time, because notices of simulated tenants are never printed.
  on_paper: {
    count: 3,
    lastRent: 'soon',
    earlier: 0,
    scenarios: ['settled'],
    after: ['chooses_paper'],
  },
  autopay_off: {
    count: 3,
    lastRent: 0,
    earlier: 0,
    scenarios: ['settled'],
    after: ['turns_autopay_off', 'time_passes'],
  },
  erased: {
    count: 2,
    lastRent: 3,
    earlier: 0,
    scenarios: ['settled'],
    after: ['time_passes', 'is_erased'],
    needsDebit: true,
  },
  outcome_unknown: {
    count: 2,
    lastRent: 'today',
    earlier: 0,
    scenarios: ['approved'],
    account: silentAccount,
    after: ['waits_for_bank'],
  },
  refund_refused: {
    count: 2,
    lastRent: 1,
    earlier: 0,
    scenarios: ['settled'],
    after: ['time_passes', 'operator_refunds_in_vain'],
  },
  // Flagged, because tenants of other households have paid from the sandbox's account before. So it comes last.
  flagged_in_review: { count: 1, lastRent: 'today', earlier: 1, scenarios: ['in_review'] },
} as const satisfies Readonly<Record<string, Kind>>;

export type KindName = keyof typeof demoTenantKinds;

/** A rent, and how far its plan goes. */
interface DemoRent {
  readonly dueDate: string;
  readonly scenarios: readonly Scenario[];
}

/** One invented tenant, with everything that happens to it. */
export interface DemoTenant {
  readonly externalId: string;
  readonly kind: KindName;
  readonly partner: DemoPartner;
  readonly property: DemoProperty;
  readonly pays: PaymentMethodType | undefined;
  readonly account: string | undefined;
  /** Oldest first. The plans of all but the last rent are paid off. */
  readonly rents: readonly DemoRent[];
  /** The tenant's clock is set to the day of each rent. Otherwise the tenant lives in real time. */
  readonly isSimulated: boolean;
  readonly after: readonly Afterwards[];
  readonly report: (dueDate: string) => PortalInfoInput;
}

/**
 * Returns the first `count` tenants. The number of a tenant decides its name and what happens to it, whatever the
 * day.
 */
export function demoTenants(count: number, day: string): DemoTenant[] {
  const order = orderOfKinds();
  return Array.from({ length: count }, (_, index) =>
    demoTenant(index, order[index % order.length] ?? 'running', day),
  );
}

/** One tenant of each kind, and then the rest, mixed in proportion to their counts. */
function orderOfKinds(): KindName[] {
  const names = Object.keys(demoTenantKinds) as KindName[];
  const rest = names.flatMap((name) => {
    const { count } = demoTenantKinds[name];
    return Array.from({ length: count - 1 }, (_, n) => ({ name, at: (n + 0.5) / (count - 1) }));
  });
  rest.sort((a, b) => a.at - b.at);
  return [...names, ...rest.map(({ name }) => name)];
}

function demoTenant(index: number, kindName: KindName, day: string): DemoTenant {
  const kind: Kind = demoTenantKinds[kindName];
  const partners = kind.needsDebit ? [harbor, cedar] : [harbor, cedar, summit];
  const partner = partners[index % partners.length] ?? harbor;
  const property = partner.properties[index % partner.properties.length] ?? partner.properties[0];
  const externalId = `${partner.letter}-${1001 + index}`;
  const { lastRent, spread = 0 } = kind;
  const dueDate = lastDueDate(
    typeof lastRent === 'number' ? lastRent + (index % (spread + 1)) : lastRent,
    day,
    property.dueDay,
  );
  const settled = partner.isPaidOut ? 'split' : 'settled';
  // A plan takes up to 30 days. With a month between them, the earlier one ends before a rent that is due today.
  const gapMonths = typeof lastRent === 'number' ? 0 : 1;
  const earlierMonths = Array.from(
    { length: kind.earlier },
    (_, n) => kind.earlier - n + gapMonths,
  );
  return {
    externalId,
    kind: kindName,
    partner,
    property,
    pays: kind.pays,
    account: kind.account,
    rents: [
      ...earlierMonths.map((months) => ({
        dueDate: monthsBefore(dueDate, months, property.dueDay),
        scenarios: [settled] as const,
      })),
      { dueDate, scenarios: kind.scenarios.map((it) => (it === 'settled' ? settled : it)) },
    ],
    isSimulated: lastRent !== 'next' && lastRent !== 'soon',
    after: kind.after ?? [],
    report: reportOf(index, { externalId, property, bounces: kind.bounces ?? false }),
  };
}

function reportOf(
  index: number,
  {
    externalId,
    property,
    bounces,
  }: { readonly externalId: string; readonly property: DemoProperty; readonly bounces: boolean },
): DemoTenant['report'] {
  const { dueDay: _, lowestRentInCents, isAssociation, areaCode, ...address } = property;
  const first = firstNames[index % firstNames.length] ?? '';
  const last = lastNames[(index * 11) % lastNames.length] ?? '';
  const mailbox = `${first}.${last}`.toLowerCase();
  const rent = lowestRentInCents + ((index * 7) % 12) * 4_500;
  const unit = `${1 + (index % 6)}${String(1 + (index % 18)).padStart(2, '0')}`;
  return (dueDate) => {
    const month = monthOf(dueDate);
    const base = { due_date: dueDate, amount_paid_in_cents: 0 };
    return {
      first_name: first,
      last_name: last,
      email: `${bounces ? 'bounce+' : ''}${mailbox}@example.com`,
      phone_number: `+1${areaCode}55501${String(index % 100).padStart(2, '0')}`,
      product_variant: isAssociation ? 'hoa' : 'rent',
      charges: [
        {
          ...base,
          ...(isAssociation
            ? { id: `dues-${month}`, type: 'hoa_dues', description: 'Association dues' }
            : { id: `rent-${month}`, type: 'rent', description: 'Rent' }),
          amount_in_cents: rent,
        },
        ...(isAssociation && index % 4 === 1
          ? [
              {
                ...base,
                id: `elevator-${month}`,
                type: 'hoa_assessment' as const,
                description: 'Elevator assessment',
                amount_in_cents: 22_500,
              },
            ]
          : []),
        ...(!isAssociation && index % 3 === 0
          ? [
              {
                ...base,
                id: `parking-${month}`,
                type: 'fee' as const,
                description: 'Parking',
                amount_in_cents: 9_500,
              },
            ]
          : []),
        ...(!isAssociation && index % 4 === 1
          ? [
              {
                ...base,
                id: `water-${month}`,
                type: 'utility' as const,
                description: 'Water and sewer',
                amount_in_cents: 3_800 + (index % 9) * 210,
              },
            ]
          : []),
      ],
      lease: {
        id: `lease-${externalId}`,
        payments_enabled: true,
        partial_payments_allowed: false,
        starts_on: `${Number(month.slice(0, 4)) - 1 - (index % 3)}-0${1 + (index % 9)}-01`,
        property: { ...address, line2: `Apt ${unit}` },
      },
    };
  };
}

function lastDueDate(lastRent: LastRent, day: string, dueDay: number): string {
  if (lastRent === 'today') return day;
  if (lastRent === 'soon') return addDays(day, 2);
  // Banks answer on Monday, so the outcome stays open for days.
  if (lastRent === 'friday') return addDays(day, -((dayOfWeek(day) + 2) % 7));
  const isPast = monthsBefore(day, 0, dueDay) <= day;
  if (lastRent === 'next') return monthsBefore(day, isPast ? -1 : 0, dueDay);
  return monthsBefore(day, lastRent + (isPast ? 0 : 1), dueDay);
}

/** Returns the due date in the month that is `months` before the month of `date`. */
function monthsBefore(date: string, months: number, dueDay: number): string {
  const index = Number(date.slice(0, 4)) * 12 + Number(date.slice(5, 7)) - 1 - months;
  const month = `${Math.floor(index / 12)}-${String((index % 12) + 1).padStart(2, '0')}`;
  return `${month}-${String(dueDay).padStart(2, '0')}`;
}

function accountThat(outcome: (typeof testBankAccounts)[number]['outcome']): string {
  return testBankAccounts.find((it) => it.outcome === outcome)?.account_number ?? '';
}

function cardWonAfterDispute(): string {
  return testCards.find((it) => it.won_after_days !== undefined)?.number ?? '';
}

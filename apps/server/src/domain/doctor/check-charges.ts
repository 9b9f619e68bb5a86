import type { DoctorInput } from '@svc/contract';
import { bigint, type RowOf, row, sql, type Tx, text } from '@svc/db';
import type { Service } from '../../context.ts';
import { isUnpaid } from '../charges/charge.ts';
import type { Position, TenantSnapshot } from '../eligibility/load-tenant-snapshot.ts';
import type { TenantKey } from '../tenant-key.ts';
import { localDate, monthOf } from '../tenants/calendar.ts';
import { type Check, createCheck, dollars } from './check.ts';

interface TenantFacts {
  readonly externalId: string | undefined;
  /** Undefined if portal_info was never called for this tenant. */
  readonly snapshot: TenantSnapshot | undefined;
  readonly position: Position | undefined;
  readonly diagnosis: DoctorInput['diagnosis'];
  readonly settled: readonly SettledCharge[];
}

const settledRow = row('charge of a verified settlement', {
  charge_id: text,
  settlement_id: text,
  /** `YYYY-MM`: a portal may use a charge's id again next month. */
  month: text,
  amount_in_cents: bigint,
});
type SettledCharge = RowOf<typeof settledRow>;

/** Reads the tenant's charges whose settlements the portal has reported as verified. */
export function readSettledCharges(
  tx: Tx,
  { partnerId, tenantId }: TenantKey,
): Promise<SettledCharge[]> {
  return tx.many(
    settledRow,
    sql`
    select c.charge_id, s.id as settlement_id, to_char(p.rent_cycle_date, 'YYYY-MM') as month,
      c.amount_in_cents
    from plan p join settlement s on s.partner_id = p.partner_id and s.plan_id = p.id
      join plan_charge c on c.partner_id = p.partner_id and c.plan_id = p.id
    where p.partner_id = ${partnerId} and p.tenant_id = ${tenantId} and s.status = 'verified'
    order by s.id, c.charge_id`,
  );
}

/** Compares the reported charges with the balance that the page shows. */
export function checkCharges({ publicOrigin }: Service, found: TenantFacts): Check {
  const { externalId, snapshot, diagnosis, settled } = found;
  const docs = '/docs/how-a-split-works';
  const check = createCheck('charges', 'Charges and balance', { publicOrigin, docs });
  if (externalId === undefined) return check.skipped('Give an external_id to check its charges.');
  if (!snapshot) {
    return check.fail(
      `The service knows no tenant ${JSON.stringify(externalId)}.`,
      'Call POST /v1/tenant/portal_info/{external_id} with the tenant and the charges.',
    );
  }
  const unpaid = snapshot.charges.filter(isUnpaid);
  const stillOpen = settled.filter((paid) =>
    unpaid.some(
      (it) =>
        it.id === paid.charge_id &&
        monthOf(it.dueDate) === paid.month &&
        it.amountPaidInCents < paid.amount_in_cents,
    ),
  );
  if (stillOpen.length > 0) {
    const names = stillOpen.map((it) => `${it.charge_id} (${it.settlement_id})`).join(', ');
    return createCheck('charges', 'Charges and balance', {
      publicOrigin,
      docs: '/docs/settlements#after-the-split',
    }).warn(
      `You reported these charges as unpaid after their settlement was verified: ${names}.`,
      'Credit the charges in your ledger when you report the settlement as verified. Then call portal_info without them, or with amount_paid_in_cents equal to their amount.',
    );
  }
  const sum = unpaid.reduce((total, it) => total + it.amountInCents - it.amountPaidInCents, 0);
  const reported = `portal_info reported ${unpaid.length} unpaid ${unpaid.length === 1 ? 'charge' : 'charges'}, ${dollars(sum)} together`;
  const balance = diagnosis?.balance;
  if (balance === undefined) {
    if (unpaid.length === 0 && settled.length > 0) {
      return check.pass(`${reported}: settlements have paid the others.`);
    }
    return unpaid.length > 0
      ? check.pass(`${reported}. Add the output of svc.diagnose() to compare the page's balance.`)
      : check.warn(`${reported}.`, 'Report the charges that the tenant owes with portal_info.');
  }
  if (balance === sum) return check.pass(`${reported}, which is the balance on the page.`);
  const hint =
    balance * 100 === sum
      ? 'The balance is in dollars: pass cents.'
      : sum * 100 === balance
        ? 'The charges are in dollars: report cents.'
        : 'Report all charges and payments that make up the balance, or pass the balance that they add up to.';
  return check.warn(`${reported}, but the page shows ${dollars(balance)}.`, hint);
}

/** Checks whether the tenant can split now, and if not, why and from when. */
export function checkWindow({ publicOrigin, environment }: Service, found: TenantFacts): Check {
  const { externalId, snapshot, position } = found;
  const docs = '/docs/how-a-split-works';
  const check = createCheck('window', 'Split window', { publicOrigin, docs });
  if (externalId === undefined) return check.skipped('Give an external_id to check its window.');
  if (!snapshot || !position) return check.skipped('There is no such tenant yet.');
  const { eligibility, cycle } = position;
  const { timeZone } = snapshot.tenant;
  const tenantPath = encodeURIComponent(externalId);
  switch (eligibility.state) {
    case 'can_apply':
    case 'approved':
    case 'has_plan':
      return check.pass(
        eligibility.state === 'has_plan'
          ? 'The tenant has a plan.'
          : `The tenant can split ${dollars(cycle?.amountDueInCents ?? 0)} now.`,
      );
    case 'nothing_due':
      return check.warn(
        'The service knows of nothing to split.',
        'Send portal_info with the charges that the tenant owes.',
      );
    case 'cycle_closed': {
      const day = (at: Date) => localDate(at, timeZone);
      const due = cycle
        ? `The charges due on ${cycle.dueDate} can be split`
        : 'The window is closed';
      const when = cycle
        ? ` from ${day(cycle.opensAt)} until ${day(new Date(cycle.closesAt.getTime() - 1))}`
        : '';
      const rehearse =
        environment === 'sandbox' && cycle
          ? `To rehearse now, call POST /v1/simulation/${tenantPath}/set_underwriting_result with "rent_cycle_date": "${cycle.dueDate}".`
          : 'Nothing to do: the widget offers it when the window opens.';
      return check.warn(`${due}${when}, and not now.`, rehearse);
    }
    case 'declined':
      return check.warn(
        `The tenant was declined and can apply again on ${eligibility.until}.`,
        environment === 'sandbox'
          ? `To start over, call POST /v1/simulation/${tenantPath}/reset.`
          : 'Nothing to do: the widget says when.',
      );
    case 'blocked':
      return check.warn(
        `The tenant cannot split: ${eligibility.reason}.`,
        `GET /v1/tenants/${tenantPath} has the reason; the docs say what ends it.`,
      );
  }
}

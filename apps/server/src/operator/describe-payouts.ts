import type { PayoutOutput } from '@svc/contract';
import type {
  Listed,
  ListedPayout,
  ListedSetting,
  MovedPayout,
  PayoutAdjustment,
  Scheduled,
} from '../domain/index.ts';
import type { PayoutRequest } from './payout-commands.ts';
import { table } from './table.ts';

/** Formats the result of a command about payouts as text for the operator's terminal. */
export function describePayouts(request: PayoutRequest, result: object): string {
  switch (request.command) {
    case 'payout schedule': {
      const { pms, method, next_at } = result as Scheduled;
      return next_at === null
        ? `${pms} debits each settlement separately from now on.\n`
        : `${pms} gets payouts (${method}). The next cut-off is ${next_at}.\n`;
    }
    case 'payout settings':
      return describeSettings((result as { items: ListedSetting[] }).items);
    case 'payout list':
      return describeList(result as Listed<ListedPayout>);
    case 'payout statement':
      return (result as { text: string }).text;
    case 'payout create': {
      const { id, amount_in_cents, line_count } = result as PayoutOutput;
      return `Created ${id}: $${dollars(amount_in_cents)} in ${line_count} lines.\n`;
    }
    case 'payout adjust': {
      const { id, pms, amount_in_cents } = result as PayoutAdjustment;
      return `The next payout of ${pms} has ${id} of $${dollars(amount_in_cents)} as a line.\n`;
    }
    case 'payout send':
      return describeInstruction(result as MovedPayout);
    case 'payout confirm': {
      const { id, amount_in_cents } = result as MovedPayout;
      return `${id} is paid: $${dollars(amount_in_cents)}.\n`;
    }
    case 'payout fail':
    case 'payout return': {
      const { id, line_count, status } = result as MovedPayout;
      return `${id} is ${status}. The next payout carries its ${line_count} lines forward.\n`;
    }
  }
}

function describeSettings(items: readonly ListedSetting[]): string {
  return table(
    'portals with payouts. Add one with "svc payout schedule"',
    ['portal', 'method', 'cut-off in New York', 'destination', 'next'],
    items.map((it) => [it.pms, it.method, `${it.cut_off_hour}:00`, it.destination, it.next_at]),
  );
}

function describeList({ items, has_more }: Listed<ListedPayout>): string {
  return table(
    'payouts',
    ['payout', 'portal', 'status', 'day', 'amount', 'lines', 'sent by', 'to', 'reference', 'why'],
    items.map((it) => [
      it.id,
      it.pms,
      it.status,
      it.day,
      dollars(it.amount_in_cents),
      String(it.line_count),
      it.sent_by,
      it.destination,
      it.reference ?? '',
      it.failure_reason ?? '',
    ]),
    has_more ? `Only ${items.length} are listed.` : '',
  );
}

/** One payment for the operator's bank. The reference finds it in the bank's statement. */
function describeInstruction({ id, destination, amount_in_cents }: MovedPayout): string {
  return [
    `pay to:    ${destination}`,
    `amount:    ${dollars(amount_in_cents)} USD`,
    `reference: ${id}`,
    '',
  ].join('\n');
}

function dollars(cents: number): string {
  return (cents / 100).toFixed(2);
}

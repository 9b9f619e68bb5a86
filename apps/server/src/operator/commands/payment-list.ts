import type { Listed } from '../../domain/listed.ts';
import { listOpenPayments, type OpenPayments } from '../../domain/payments/list-calls.ts';
import { listPayments, type TenantPayment } from '../../domain/payments/list-payments.ts';
import { defineCommand, option, optionalArgument } from '../command.ts';
import { dollars, formatMinute, olderLeftOut } from '../format.ts';
import { table } from '../table.ts';

export const paymentList = defineCommand({
  name: 'payment list',
  summary: 'list open calls, refused refunds and ignored events, or the payments of a --tenant',
  input: {
    pms: optionalArgument('[pms]'),
    tenant: option('--tenant <external id>', 'the payments of this tenant'),
  },
  effect: 'report',
  console: { needs: 'read', partner: 'pms' },
  refuse: ({ pms, tenant }) =>
    tenant !== undefined && pms === undefined
      ? 'needs the partner of --tenant: payment list <pms> --tenant <external id>'
      : undefined,
  run: (ctx, { pms, tenant }): Promise<OpenPayments | Listed<TenantPayment>> =>
    pms !== undefined && tenant !== undefined
      ? listPayments(ctx.tx, { pms, tenant })
      : listOpenPayments(ctx, pms === undefined ? {} : { pms }),
  describe: (found, { pms, tenant }) =>
    'calls' in found
      ? describeOpen(found)
      : paymentTable(
          `payments of ${pms}/${tenant}`,
          found.items,
          found.has_more ? olderLeftOut : '',
        ),
});

/** Payments of a tenant or a plan as a table. `what` names them, for an empty one. */
export function paymentTable(what: string, items: readonly TenantPayment[], note = ''): string {
  return table(
    what,
    ['began', 'payment', 'amount', 'state', 'given back', 'due on', 'from', 'plan'],
    items.map((it) => [
      formatMinute(it.began_at),
      it.payment_id,
      dollars(it.amount_in_cents),
      it.return_code === null ? it.state : `${it.state} (${it.return_code})`,
      it.refunded_in_cents === 0 ? '' : dollars(it.refunded_in_cents),
      it.installment_due_on,
      it.method,
      it.plan_id,
    ]),
    note,
  );
}

function describeOpen(open: OpenPayments): string {
  const calls = table(
    'calls without a final outcome',
    ['began', 'age', 'what', 'state', 'amount', 'tenant', 'payment', 'tries', 'next check'],
    open.calls.map((it) => [
      formatMinute(it.began_at),
      formatAge(it.age_in_seconds),
      it.kind,
      it.return_code === null ? it.state : `refused (${it.return_code})`,
      dollars(it.amount_in_cents),
      `${it.pms}/${it.external_id}`,
      it.payment_id,
      String(it.tries),
      it.next_check_at === null ? '' : formatMinute(it.next_check_at),
    ]),
    open.has_more_calls ? olderLeftOut : '',
  );
  const returns = table(
    'returns that wait for their payment',
    ['received', 'what', 'code', 'amount', 'payment is', 'tenant', 'payment'],
    open.waiting_returns.map((it) => [
      formatMinute(it.received_at),
      it.kind === 'won' ? 'won' : 'returned',
      it.return_code ?? '',
      it.amount_in_cents === null ? 'all' : dollars(it.amount_in_cents),
      it.payment_state,
      `${it.pms}/${it.external_id}`,
      it.payment_id,
    ]),
    open.has_more_returns ? olderLeftOut : '',
  );
  const events = table(
    'events that were ignored',
    ['received', 'processor', 'event', 'kind', 'about', 'reason', 'tries', 'next try'],
    open.ignored_events.map((it) => [
      formatMinute(it.received_at),
      it.processor,
      it.event_id,
      it.kind ?? '',
      it.about ?? '',
      it.reason,
      String(it.tries),
      it.next_try_at === null ? '' : formatMinute(it.next_try_at),
    ]),
    open.has_more_events ? olderLeftOut : '',
  );
  return `${calls}\n${returns}\n${events}`;
}

/** `5 min`, `3 h` or `2 d`, rounded down. */
function formatAge(seconds: number): string {
  const minutes = Math.floor(seconds / 60);
  if (minutes < 120) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours} h` : `${Math.floor(hours / 24)} d`;
}

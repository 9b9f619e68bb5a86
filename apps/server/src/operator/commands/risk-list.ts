import { listFlags, listReturnedFirst } from '../../domain/applications/list-flags.ts';
import { bankTimeZone } from '../../domain/bank-time-zone.ts';
import { nachaPeriod, readReturnRates } from '../../domain/payments/return-rates.ts';
import { startOfDay } from '../../domain/tenants/calendar.ts';
import { defineCommand, longestReadMs, optionalArgument } from '../command.ts';
import { formatMinute, olderLeftOut } from '../format.ts';
import { table } from '../table.ts';

export const riskList = defineCommand({
  name: 'risk list',
  summary: 'list flagged applications, and the first payments of 60 days that were returned',
  input: { pms: optionalArgument('[pms]') },
  effect: 'report',
  console: { needs: 'read', partner: 'pms' },
  timeoutMs: longestReadMs,
  async run({ tx, now }, { pms }) {
    const period = nachaPeriod(now);
    const rates = await readReturnRates(tx, { ...period, pms, firstOnly: true });
    const overall = rates.find(({ category }) => category === 'overall');
    const since = startOfDay(period.from, bankTimeZone);
    return {
      applications: await listFlags(tx, pms),
      first_payments: {
        debits: overall?.debits ?? 0,
        returned: overall?.returned ?? 0,
        rate: overall?.rate ?? null,
        ...(await listReturnedFirst(tx, { pms, since })),
      },
    };
  },
  describe({ applications, first_payments: first }) {
    const flagged = table(
      'flagged applications',
      ['found', 'application', 'tenant', 'reasons', 'state'],
      applications.items.map((it) => [
        formatMinute(it.found_at),
        it.application_id,
        `${it.pms}/${it.external_id}`,
        it.reasons.join(', '),
        it.state,
      ]),
      applications.has_more ? olderLeftOut : '',
    );
    const share = first.rate === null ? '' : ` (${(first.rate * 100).toFixed(2)} %)`;
    const returned = table(
      'returned first payments',
      ['began', 'payment', 'tenant', 'code'],
      first.items.map((it) => [
        formatMinute(it.began_at),
        it.payment_id,
        `${it.pms}/${it.external_id}`,
        it.return_code,
      ]),
      first.has_more ? olderLeftOut : '',
    );
    return `${flagged}\n${returned}First payments in 60 days: ${first.debits}, returned: ${first.returned}${share}.\n`;
  },
});

import { listPayoutSettings } from '../../domain/payouts/settings.ts';
import { defineCommand, optionalArgument } from '../command.ts';
import { table } from '../table.ts';

export const payoutSettings = defineCommand({
  name: 'payout settings',
  summary: 'list the portals that get payouts',
  input: { pms: optionalArgument('[pms]') },
  effect: 'report',
  console: { needs: 'read', partner: 'pms' },
  run: async ({ tx }, { pms }) => ({ items: await listPayoutSettings(tx, pms) }),
  describe: ({ items }) =>
    table(
      'portals with payouts. Add one with "svc-admin payout schedule"',
      ['portal', 'method', 'cut-off in New York', 'destination', 'next'],
      items.map((it) => [it.pms, it.method, `${it.cut_off_hour}:00`, it.destination, it.next_at]),
    ),
});

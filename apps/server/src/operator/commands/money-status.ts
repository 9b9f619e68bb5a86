import { readMoney } from '../../domain/controls/money-switch.ts';
import { listPauses } from '../../domain/controls/pauses.ts';
import { defineCommand } from '../command.ts';
import { describeStop } from './money-stop.ts';

export const moneyStatus = defineCommand({
  name: 'money status',
  summary: 'say whether money is stopped',
  effect: 'report',
  console: { needs: 'read' },
  readsPrimary: true,
  needsDatabaseOnly: true,
  run: async ({ tx }) => ({
    ...(await readMoney(tx)),
    pauses: (await listPauses(tx, {})).length,
  }),
  describe({ pauses, ...state }) {
    const paused =
      pauses === 0
        ? 'No collections are paused.\n'
        : `Pauses of collections: ${pauses}. "svc-admin collections list" lists them.\n`;
    return state.stopped_at === null
      ? `Money moves. ${paused}`
      : `Money is stopped, ${describeStop(state)}${paused}`;
  },
});

import { readUnknownSettings } from '../../config.ts';
import { checkSettings } from '../check-settings.ts';
import { defineCommand } from '../command.ts';
import { table } from '../table.ts';

export const check = defineCommand({
  name: 'check',
  summary: 'try the settings: database, role, key, mail, processor, origin, clock',
  effect: 'report',
  scope: 'settings',
  async run({ readConfig, clock, log }) {
    const unknown = readUnknownSettings().map(({ message }) => message);
    return { checks: await checkSettings(readConfig(), { clock, log, unknown }) };
  },
  hasFailed: ({ checks }) => checks.some(({ result }) => result === 'failed'),
  describe: ({ checks }) =>
    table(
      'checks',
      ['what', 'result', 'why'],
      checks.map(({ name, result, message }) => [name, result, message]),
    ),
});

import { showConfig } from '../../config.ts';
import { defineCommand } from '../command.ts';
import { table } from '../table.ts';

export const config = defineCommand({
  name: 'config',
  summary: 'print the settings in effect, secrets masked, and where each comes from',
  effect: 'report',
  scope: 'settings',
  // Invalid settings are printed, too: then they are most useful.
  run: async () => showConfig(),
  hasFailed: ({ problems }) => problems.length > 0,
  describe: ({ settings, unknown, problems }) =>
    [
      table(
        'settings',
        ['setting', 'value', 'from'],
        settings.map(({ name, value, source }) => [name, value, source]),
      ),
      ...unknown.map(({ message }) => `${message}\n`),
      ...problems.map((problem) => `${problem}\n`),
    ].join(''),
});

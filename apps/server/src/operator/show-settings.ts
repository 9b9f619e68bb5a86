import { parseArgs } from 'node:util';
import type { ShownConfig } from '../config.ts';
import { UsageError } from './read-command.ts';
import { table } from './table.ts';

/**
 * The output of `svc config`: every setting in effect, with masked secrets and where it comes from.
 * @throws UsageError
 */
export function showSettings({ settings, unknown }: ShownConfig, args: readonly string[]): string {
  if (readOptions(args).json) return `${JSON.stringify({ settings, unknown }, null, 2)}\n`;
  const rows = settings.map(({ name, value, source }) => [name, value, source]);
  const ignored = unknown.map((name) => `${name} is set but is not a setting: it is ignored.\n`);
  return [table('settings', ['setting', 'value', 'from'], rows), ...ignored].join('');
}

function readOptions(args: readonly string[]): { json: boolean } {
  try {
    return parseArgs({ args: [...args], options: { json: { type: 'boolean', default: false } } })
      .values;
  } catch (error) {
    throw new UsageError(`${(error as Error).message}. "config" takes --json only.`);
  }
}

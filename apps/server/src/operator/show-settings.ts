import { parseArgs } from 'node:util';
import type { ShownConfig } from '../config.ts';
import { UsageError } from './read-command.ts';
import { table } from './table.ts';

/**
 * The output of `svc config`: every setting in effect, with masked secrets and where it comes from.
 * @throws UsageError
 */
export function showSettings({ settings, unknown }: ShownConfig, args: readonly string[]): string {
  if (readJsonOption('config', args).json)
    return `${JSON.stringify({ settings, unknown }, null, 2)}\n`;
  const rows = settings.map(({ name, value, source }) => [name, value, source]);
  const ignored = unknown.map(({ message }) => `${message}\n`);
  return [table('settings', ['setting', 'value', 'from'], rows), ...ignored].join('');
}

/** @throws UsageError for anything but `--json` */
export function readJsonOption(command: string, args: readonly string[]): { json: boolean } {
  try {
    return parseArgs({ args: [...args], options: { json: { type: 'boolean', default: false } } })
      .values;
  } catch (error) {
    throw new UsageError(`${(error as Error).message}. "${command}" takes --json only.`);
  }
}

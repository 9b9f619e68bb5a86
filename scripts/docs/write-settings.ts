import { readFileSync, writeFileSync } from 'node:fs';
import { allSettings } from '../../apps/server/src/config.ts';
import { settingsTable } from '../../apps/server/src/settings.ts';

export const page = new URL('../../docs/operate/configuration.md', import.meta.url);

/** Returns the page's text with a table of the service's current settings. */
export function withSettings(text: string): string {
  const [before, rest] = text.split('<!-- settings -->\n');
  const after = rest?.split('<!-- /settings -->')[1];
  if (after === undefined) throw new Error(`${page.pathname} has lost its settings comments.`);
  return `${before}<!-- settings -->\n\n${settingsTable(allSettings())}\n<!-- /settings -->${after}`;
}

// `npm run settings`
if (process.argv[1] === import.meta.filename) {
  writeFileSync(page, withSettings(readFileSync(page, 'utf8')));
}

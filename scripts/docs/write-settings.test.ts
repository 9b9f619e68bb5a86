import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { page, withSettings } from './write-settings.ts';

test('the settings page has every setting; `npm run settings` writes it', () => {
  const text = readFileSync(page, 'utf8');
  expect(text).toBe(withSettings(text));
  expect(text).toContain('| `SVC_SECRET_KEY`, `SVC_SECRET_KEY_FILE` |');
});

import { expect, test } from 'vitest';
import { languages, withPath } from './languages.ts';

test('each receiver has the endpoint’s path and the secret’s variable', () => {
  for (const { libraries, byHand } of languages) {
    for (const { source } of [...libraries, ...byHand.slice(0, 1)]) {
      const shown = withPath(source, '/hooks/"a\'b\\$&?>');
      expect(shown).toContain('/hooks/%22a%27b%5C$&%3F%3E');
      expect(shown).not.toContain('/webhooks/svc');
      expect(shown).toContain('SVC_WEBHOOK_SECRET');
    }
  }
});

test('the file without a library has the check, and no marks of the docs', () => {
  const files = languages.flatMap(({ byHand }) => byHand.slice(1));
  expect(files).toHaveLength(7);
  for (const { source } of files) {
    expect(source).toMatch(/verify\(/i);
    expect(source).toMatch(/whsec_/);
    expect(source).not.toMatch(/#(end)?region/);
    expect(source).not.toMatch(/\n{4}/);
  }
});

test('each language lists a Standard Webhooks library first, with its install command', () => {
  for (const { libraries } of languages) {
    expect(libraries[0]).toMatchObject({ name: 'Standard Webhooks' });
    expect(libraries[0]?.install.toLowerCase().replace('-', '')).toContain('standardwebhooks');
  }
});

import { expect, test } from 'vitest';
import { findEntries } from './find-entries.ts';
import { sectionOf } from './section-of.ts';

const entry = (url: string, page: string, heading: string, text: string) => ({
  url,
  page,
  heading,
  text,
});
const entries = [
  entry('/docs/webhooks', 'Webhooks', '', 'Every event is a webhook. We send it to your endpoint.'),
  entry('/docs/webhooks#verify', 'Webhooks', 'Verify the signature', 'Use the raw body.'),
  entry('/docs/operate/mail', 'Mail', 'Verify the signature', 'Use the raw body.'),
  entry('/docs/money', 'Money', 'Cents', 'Money is integer cents. Migrate floats.'),
];

test('a question finds the section that has its rare words, pages for operators last', () => {
  const found = findEntries(entries, 'How do I verify the signature of a webhook?');
  expect(found.map(({ url }) => url)).toEqual([
    '/docs/webhooks#verify',
    '/docs/webhooks',
    '/docs/operate/mail',
  ]);
});

test('a word matches the beginning of words, and an unknown one nothing', () => {
  expect(findEntries(entries, 'rate')).toEqual([]);
  expect(findEntries(entries, 'float').map(({ url }) => url)).toEqual(['/docs/money']);
  expect(findEntries(entries, '...')).toEqual([]);
});

const page = `# Webhooks

Intro.

## When it \`fails\`, retry

Text.

\`\`\`sh
## not a heading
\`\`\`

### Details

More.

## Other <a id="other-ways"></a>

End.`;

test('a section reaches to the next heading of its level', () => {
  const section = sectionOf(page, 'when-it-fails-retry');
  expect(section).toContain('## not a heading');
  expect(section).toMatch(/More\.\n$/);
  expect(sectionOf(page, 'details')).toBe('### Details\n\nMore.\n');
  expect(sectionOf(page, 'other-ways')).toMatch(/End\.$/);
  expect(sectionOf(page, 'not-a-heading')).toBeNull();
});

import { expect, test } from 'vitest';
import { releaseNotes } from './release-notes.ts';

const changelog = `---
title: Changelog
---

## 0.4.0 (May 2, 2027)

### API: new

- See [webhooks](webhooks.md#retry), [deploy](operate/deploy.md), [a page](/docs/api) and [the law](https://law.example).

## 0.3.0 (May 1, 2027)

- Old.
`;
const address = 'https://github.com/owner/svc';

test('the notes are the section of the version, with links into its tag', () => {
  const notes = releaseNotes(changelog, '0.4.0', address);
  expect(notes).toMatch(/^## API: new\n/);
  expect(notes).toContain(`[webhooks](${address}/blob/v0.4.0/docs/webhooks.md#retry)`);
  expect(notes).toContain(`[deploy](${address}/blob/v0.4.0/docs/operate/deploy.md)`);
  expect(notes).toContain('[the law](https://law.example)');
  expect(notes).not.toContain('Old.');
});

test('the section of the next release counts, and a version without one is an error', () => {
  const next = changelog.replace('0.4.0 (May 2, 2027)', 'Next release (0.4.0)');
  expect(releaseNotes(next, '0.4.0', address)).toMatch(/^## API: new\n/);
  expect(() => releaseNotes(changelog, '0.5.0', address)).toThrow(
    'docs/changelog.md has no section for 0.5.0.',
  );
});

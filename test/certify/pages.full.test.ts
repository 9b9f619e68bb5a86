import { pageCaseNames } from '@svc/contract';
import { expect, test } from 'vitest';
import { mutations } from './mutations.ts';
import { problemsOf, usePortals } from './proof.ts';

// Proves the same of pages, with `svc certify` as a developer runs it.
const openPortal = usePortals();

test.for(['portal.mjs', 'next'] as const)(
  'nothing is wrong with the page of %s',
  { timeout: 300_000 },
  async (portal, { skip }) => {
    const { url, certify } = await openPortal({ portal, replace: [] }, skip);
    const only = pageCaseNames.join(',');
    expect(problemsOf(await certify(['--page', url, '--only', only]), pageCaseNames)).toEqual([]);
  },
);

const ofPages = mutations.filter(({ cases: [first = ''] }) =>
  (pageCaseNames as readonly string[]).includes(first),
);
test.for(ofPages)(
  'a page that $name',
  { timeout: 300_000 },
  async ({ cases, cause, ...source }, { skip }) => {
    const { url, certify } = await openPortal(source, skip);
    const results = await certify(['--page', url, '--only', cases.join(',')]);
    expect(problemsOf(results, cases)).toContainEqual(
      expect.objectContaining({ name: cases[0], cause: expect.stringMatching(cause) }),
    );
  },
);

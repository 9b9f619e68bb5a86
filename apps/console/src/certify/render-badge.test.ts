import { expect, test } from 'vitest';
import { renderBadge as renderInCli } from '../../../../packages/cli/src/certify/report/badge.ts';
import { sampleRun } from '../../../../packages/cli/src/testing/sample-run.ts';
import { renderBadge } from './render-badge.ts';

test.each(['passed', 'incomplete', 'failed'] as const)(
  'the badge of a run that is %s is that of the command line',
  (state) => {
    const run = sampleRun({ state });
    expect(renderBadge(run)).toBe(renderInCli(run));
  },
);

test('a version cannot add markup', () => {
  expect(renderBadge(sampleRun({ service_version: '"><script>' }))).not.toMatch(/"><s|<script/);
});

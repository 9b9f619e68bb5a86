import { join } from 'node:path';
import { type WidgetStatus, widgetStatuses } from '@svc/contract';
import { build } from 'vite';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkOut, findLastRelease } from '../../../apps/server/test/last-release.ts';
import { answerOf } from './fixture/service.ts';
import { type Stage, startStage } from './fixture/stage.ts';

const last = await findLastRelease();
if ('missing' in last) throw new Error(last.missing);

let stage: Stage;
beforeAll(async () => {
  const { folder, remove } = await checkOut(last.commit);
  try {
    const { configFor } = await import(join(folder, 'packages/core/vite.config.ts'));
    const config = configFor('src/index.ts', 'es', 'svc.js');
    const options = { ...config.build, write: false };
    const built = await build({ ...config, logLevel: 'error', build: options });
    const [bundle] = Array.isArray(built) ? built : [built];
    if (!bundle || !('output' in bundle)) throw new Error('the build gave no bundle');
    stage = await startStage({ 'svc.js': bundle.output[0].code });
  } finally {
    await remove();
  }
}, 120_000);
afterAll(() => stage?.close());

/** The text that the last release's SDK shows for each status that it does not know. */
const shownFor: { [status in WidgetStatus]?: string } = {
  starting: 'Your plan is active',
  payment_failed: 'Next payment on Feb 8',
  past_due: 'Next payment on Feb 8',
  needs_attention: 'Not available right now',
};

test.for(widgetStatuses)(
  `the SDK of ${last.version} shows a widget that can be clicked for the status %s`,
  async (status) => {
    const due = status === 'payment_failed' || status === 'past_due' ? '2026-02-08' : null;
    const failed = [{ due_on: '2026-02-08', state: 'failed' as const }];
    stage.service.reset();
    stage.service.widgetAnswer = answerOf(status, due, null, due ? failed : []);
    const opened = await stage.open();
    await opened.mount();
    await expect.poll(() => stage.service.widgetBodies).toHaveLength(1);
    const card = opened.page.locator('.svc-widget');
    await expect.poll(() => card.innerText()).toContain(shownFor[status] ?? '$1,520.12');
    expect(await opened.page.getByRole('button').isEnabled()).toBe(true);
    expect(opened.faults).toEqual([]);
    await opened.close();
  },
);

import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import type { Opened } from '../../core/test/fixture/stage.ts';
import { reacts, startStaffStage } from './fixture/react-stage.ts';

let stage: Awaited<ReturnType<typeof startStaffStage>>;
beforeAll(async () => {
  stage = await startStaffStage();
});
afterAll(() => stage?.close());
beforeEach(() => stage.service.reset());

/** The frames of the views that are shown. */
const shownFrames = 'iframe:not([inert])';

test.each(reacts)(
  'React %s: StrictMode mounts each view once, props change in place, and unmounting leaves nothing',
  async (react) => {
    const opened = await stage.openStaff(react);
    const complaints = complaintsOf(opened);
    const frames = opened.page.locator(shownFrames);
    expect(await opened.page.evaluate(() => window.staff.version)).toMatch(react);
    await opened.page.evaluate(() => window.staff.render());
    await expect.poll(() => frames.count()).toBe(2);
    const asked = ['settlements null', 'tenant_plan t-100'];
    expect(await opened.page.evaluate(() => window.staff.asked)).toEqual(asked);
    const frame = await frames.first().elementHandle();
    const appearance = { theme: 'dark' } as const;
    await opened.page.evaluate((it) => window.staff.render({ appearance: it }), appearance);
    await opened.page.locator('.office').first().waitFor();
    const inside = await frame?.contentFrame();
    await inside?.waitForFunction(() => window.received.some(({ theme }) => theme === 'dark'));
    expect(await opened.page.evaluate(() => window.staff.asked)).toEqual(asked);
    await opened.page.evaluate(() => window.staff.render({ pms: 'oak' }));
    await expect.poll(() => frames.count()).toBe(2);
    expect(await frame?.evaluate((it) => it.isConnected)).toBe(false);
    await opened.page.evaluate(() => window.staff.render({ pms: 'Not A Name' }));
    await expect
      .poll(() => opened.page.evaluate(() => window.staff.problems))
      .toEqual(['invalid_settings', 'invalid_settings']);
    await opened.page.evaluate(() => window.staff.unmount());
    await opened.page.locator('iframe').first().waitFor({ state: 'detached' });
    expect(await opened.page.locator('#slot > *').count()).toBe(0);
    expect(opened.faults).toEqual([]);
    // Each of the two views says which setting is wrong.
    expect(complaints).toHaveLength(2);
    for (const line of complaints) expect(line).toMatch(/^Svc 1000 invalid_settings: pms/);
    await opened.close();
  },
);

test.each(reacts)(
  'React %s: the server renders the boxes, and hydration shows the views in them',
  async (react) => {
    const errors = vi.spyOn(console, 'error');
    const html = await stage.renderOnServer(react);
    expect(errors.mock.calls).toEqual([]);
    errors.mockRestore();
    expect(html.replace(' data-reactroot=""', '')).toBe(
      '<main><div class="office" style="min-height:320px"></div><div class="office"></div></main>',
    );
    const opened = await stage.openStaff(react, { content: html });
    const complaints = complaintsOf(opened);
    const box = await opened.page.locator('.office').first().elementHandle();
    await opened.page.evaluate(() => window.staff.hydrate());
    await expect.poll(() => opened.page.locator(shownFrames).count()).toBe(2);
    expect(await box?.evaluate((it) => it.isConnected)).toBe(true);
    expect(await opened.page.evaluate(() => window.staff.hydrationErrors)).toEqual([]);
    expect(await opened.page.evaluate(() => window.staff.problems)).toEqual([]);
    expect(opened.faults).toEqual([]);
    expect(complaints).toEqual([]);
    await opened.close();
  },
);

/** Collects the errors in the page's console, such as React's own. */
function complaintsOf({ page }: Opened): string[] {
  const errors: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(message.text());
  });
  return errors;
}

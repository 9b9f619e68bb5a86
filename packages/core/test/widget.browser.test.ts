import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Stage, startStage } from './fixture/stage.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await startStage();
});
afterAll(() => stage.close());
beforeEach(() => {
  stage.service.requests.length = 0;
  stage.service.widgetBodies.length = 0;
});

test('the balance is painted at once, before any request', async () => {
  const opened = await stage.open();
  const text = await opened.page.evaluate(() => {
    window.driver.mount();
    return window.driver.svc.createWidget().shadowRoot?.textContent;
  });
  expect(text).toContain('$1,520.12');
  expect(stage.service.requests).toEqual([]);
  await opened.page.waitForFunction(() => window.driver.events.length > 0);
  expect(opened.faults).toEqual([]);
  await opened.close();
});

test('createWidget gives the same element twice', async () => {
  const opened = await stage.open();
  const same = await opened.page.evaluate(() => {
    window.driver.mount();
    const again = window.driver.svc.createWidget();
    return document.getElementById('slot')?.firstChild === again;
  });
  expect(same).toBe(true);
  await opened.close();
});

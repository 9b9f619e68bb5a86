import type { ExperienceState } from '@svc/contract';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { violationsOf } from '../../../scripts/test/axe.ts';
import { type Stage, startStage } from './fixture/stage.ts';
import { FixtureTenant } from './fixture/tenants.ts';
import { halfway, withPlan } from './manage-scenes.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await startStage();
});
afterAll(() => stage.close());

const state = withPlan(halfway);
const calls = () => stage.service.calls.filter(({ call }) => call === 'POST /link').length;

/** A page of its own, as a mail program opens it. */
async function follow(link: string, of: ExperienceState | null): Promise<Page> {
  if (of !== null) stage.service.tokens.set(link, new FixtureTenant(of));
  const page = await stage.newPage();
  await page.goto(`${stage.service.origin}/experience/elm-residents#link=${link}`);
  return page;
}

const title = (page: Page, name: string | RegExp) =>
  page.getByRole('heading', { level: 1, name }).waitFor();

test('a mail’s link opens the plan on a page of its own, and leaves the address', async () => {
  const before = calls();
  const page = await follow('mail-1', state);
  await title(page, '2 payments left: $760.06');
  expect(page.url()).toBe(`${stage.service.origin}/experience/elm-residents`);
  expect(calls()).toBe(before + 1);
  expect(await violationsOf(page)).toEqual([]);
  await page.getByRole('button', { name: /^Pay early/ }).click();
  await page.getByLabel('Due Wed 25 Feb').check();
  await page.getByRole('button', { name: /^Pay \$/ }).click();
  await page.getByText(/is paid$/).waitFor();
  await page.context().close();
});

test('a scanner that fetches the page spends nothing', async () => {
  const before = calls();
  stage.service.tokens.set('mail-2', new FixtureTenant(state));
  await fetch(`${stage.service.origin}/experience/elm-residents#link=mail-2`);
  expect(calls()).toBe(before);
  const page = await follow('mail-2', null);
  await title(page, '2 payments left: $760.06');
  await page.context().close();
});

test('a link that was used or is too old says where the plan is', async () => {
  for (const link of ['mail-1', 'never-sent']) {
    const page = await follow(link, null);
    await title(page, 'Please open your plan in your portal');
    expect(await page.getByRole('button', { name: 'Close' }).count()).toBe(0);
    await page.context().close();
  }
});

test('the way back is the portal’s own page, where it named one', async () => {
  const { tenant } = state;
  const named = { ...tenant, return_url: `${stage.partnerOrigin}/rent` };
  const page = await follow('mail-3', { ...state, tenant: named });
  await page.getByRole('button', { name: 'Back to your resident portal' }).click();
  await page.waitForURL(`${stage.partnerOrigin}/rent`);
  await page.context().close();

  const other = await follow('mail-4', state);
  await other.getByRole('button', { name: 'Back to your resident portal' }).click();
  await title(other, 'You can close this page');
  expect(await violationsOf(other)).toEqual([]);
  await other.context().close();
});

test('a service that is away is asked again with the same link', async () => {
  stage.service.faults.set('POST /link', ['unavailable']);
  const page = await follow('mail-5', state);
  await title(page, 'We can’t reach the service');
  await page.getByRole('button', { name: 'Try again' }).click();
  await title(page, '2 payments left: $760.06');
  await page.context().close();
});

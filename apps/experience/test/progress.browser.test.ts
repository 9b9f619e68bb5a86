import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fillApplication, press, typeAccount, waitForTitle } from './fixture/actions.ts';
import { openExperience } from './fixture/open.ts';
import { type Opened, type Stage, startStage } from './fixture/stage.ts';
import { stateOf } from './fixture/states.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await startStage();
});
afterAll(() => stage.close());

const storage = ({ frame }: Opened) =>
  frame.evaluate(() =>
    [sessionStorage, localStorage]
      .flatMap((it) => Object.entries(it).map((pair) => pair.join(': ')))
      .join(),
  );

/** Reloads the partner's page, and opens the experience with a fresh token. */
async function reload(page: Page, externalId = 't-100'): Promise<Opened> {
  await page.reload();
  const state = stateOf();
  const tenant = { ...state.tenant, external_id: externalId };
  return openExperience(page, stage.service, { state: { ...state, tenant } });
}

/** Fills in the application, and waits until all of it has been saved. */
async function fillAndWaitUntilSaved(it: Opened): Promise<void> {
  await press(it, 'Start my application');
  await it.frame.evaluate(() => {
    let sealed = '';
    const { subtle } = crypto;
    subtle.encrypt = (...call) => {
      sealed = new TextDecoder().decode(call[2]);
      return SubtleCrypto.prototype.encrypt.apply(subtle, call);
    };
    const { setItem } = Storage.prototype;
    Storage.prototype.setItem = function set(...pair) {
      setItem.apply(this, pair);
      document.documentElement.dataset.kept = sealed;
    };
  });
  await fillApplication(it);
  const kept = () => it.frame.locator('html').getAttribute('data-kept');
  await expect.poll(kept).toMatch(/"birth":"04\/27\/1990".*"income":"4,200"/);
}

test('the input survives a reload, and storage contains it only encrypted', async () => {
  const it = await stage.open({ state: stateOf() });
  await fillAndWaitUntilSaved(it);
  const kept = await storage(it);
  expect(kept).toContain('svc-progress');
  expect(kept).not.toMatch(/1990|4,200|Ada|t-100|application|good-|svc_es/);
  const again = await reload(it.page);
  await waitForTitle(again, 'Two quick questions');
  expect(await again.frame.getByLabel('Date of birth').inputValue()).toBe('04/27/1990');
  expect(await again.frame.getByLabel('What’s your monthly income?').inputValue()).toBe('4,200');
  expect(await again.frame.getByLabel(/^I agree that/).isChecked()).toBe(false);
  await again.close();
});

test('another tenant in the same tab does not see the saved input', async () => {
  const it = await stage.open({ state: stateOf() });
  await fillAndWaitUntilSaved(it);
  const other = await reload(it.page, 't-200');
  await waitForTitle(other, /^Split your/);
  await press(other, 'Start my application');
  expect(await other.frame.getByLabel('Date of birth').inputValue()).toBe('');
  await other.close();
});

test('sent data is deleted, and account digits are never saved', async () => {
  const it = await stage.open({ state: stateOf() });
  await fillAndWaitUntilSaved(it);
  await press(it, 'Send my application');
  await press(it, /^Continue with/);
  await typeAccount(it, '99887766');
  const again = await reload(it.page);
  await waitForTitle(again, /^Split your/);
  await press(again, 'Start my application');
  expect(await again.frame.getByLabel('Date of birth').inputValue()).toBe('');
  expect(await storage(again)).not.toContain('99887766');
  await again.close();
});

test('a Social Security number is masked and sent, and never saved', async () => {
  const it = await stage.open({ state: stateOf({ asks_ssn_digits: 9 }) });
  await fillAndWaitUntilSaved(it);
  const field = it.frame.getByLabel('Social Security number');
  expect(await field.getAttribute('type')).toBe('password');
  await field.fill('123-45-678');
  await press(it, 'Send my application');
  await it.frame.getByText('Enter 9 digits.').waitFor();
  await field.fill('000-12-3456');
  await press(it, 'Send my application');
  await it.frame.getByText('no Social Security number or ITIN looks like this').waitFor();
  await field.fill('123-45-6789');
  await press(it, 'Send my application');
  await waitForTitle(it, /^You’re approved/);
  const sent = stage.service.calls.findLast(({ call }) => call === 'POST /application');
  expect(sent?.body).toMatchObject({ ssn: '123456789' });
  expect(await it.frame.locator('html').getAttribute('data-kept')).not.toContain('6789');
  await it.close();
});

test('the chosen language survives a reload', async () => {
  const it = await stage.open({ state: stateOf() });
  await press(it, 'Español');
  await waitForTitle(it, /^¿Dividir/);
  // The page's language is set in an effect, after the texts are painted.
  await expect.poll(() => it.frame.evaluate(() => document.documentElement.lang)).toBe('es-US');
  const again = await reload(it.page);
  await waitForTitle(again, /^¿Dividir/);
  await press(again, 'English');
  await waitForTitle(again, /^Split your/);
  await again.close();
});

test('the app works without browser storage', async () => {
  const page = await stage.newPage();
  await page.addInitScript(() => {
    for (const name of ['sessionStorage', 'localStorage', 'indexedDB']) {
      Object.defineProperty(window, name, {
        get: () => {
          throw new DOMException('The operation is insecure.', 'SecurityError');
        },
      });
    }
  });
  await page.goto(stage.partnerOrigin);
  const it = await openExperience(page, stage.service, { state: stateOf() });
  await press(it, 'Español');
  await press(it, 'English');
  await press(it, 'Start my application');
  await fillApplication(it);
  await press(it, 'Send my application');
  await waitForTitle(it, /^You’re approved/);
  await it.close();
});

import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  agree,
  chooseLanguage,
  matchPaydays,
  press,
  toConsent,
  waitForTitle,
} from './fixture/actions.ts';
import { type Opened, type Stage, startStage } from './fixture/stage.ts';
import { approved, stateOf } from './fixture/states.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await startStage();
});
afterAll(() => stage.close());

const everyOtherFriday = { often: 'biweekly', days: ['2026-02-06'] };

/** The dates of the schedule on screen. The invisible one gives the box its height. */
async function datesOf({ frame }: Opened): Promise<string[]> {
  const dates = frame.locator('.svc-schedule:not([aria-hidden] *) .svc-schedule__when');
  return (await dates.allInnerTexts()).map((text) => text.replaceAll('\u00a0', ' '));
}

const sentPaydays = () =>
  stage.service.calls
    .filter(({ call }) => call === 'POST /paydays')
    .map(({ body }) => (body as { paydays: unknown }).paydays);

/** Holds the answers to choices of paydays back until the returned function is called. */
function delayPaydays(): () => void {
  let release = (): void => undefined;
  const gate = new Promise<void>((resolve) => {
    release = resolve;
  });
  stage.service.delays.set('POST /paydays', gate);
  return () => {
    stage.service.delays.clear();
    release();
  };
}

test('the payments move to the paydays at once, with their cost, and the plan has them', async () => {
  const it = await stage.open({ state: stateOf(approved) });
  const { frame } = it;
  const before = sentPaydays().length;
  await frame.getByText('Wed, Feb 25').first().waitFor();
  const release = delayPaydays();
  await matchPaydays(it, everyOtherFriday);
  await frame.locator('.skeleton-schedule').waitFor();
  const boxes = () =>
    Promise.all(['.fold', '.same-height'].map((it) => frame.locator(it).boundingBox()));
  const loading = await boxes();
  release();
  await frame.getByText('Fri, Feb 20').first().waitFor();
  expect(await datesOf(it)).toEqual(['Today, Feb 1', 'Fri, Feb 6', 'Fri, Feb 20']);
  expect(await frame.locator('.split-bar i').count()).toBe(3);
  await frame.getByText('(annual percentage rate 79.01%)').waitFor();
  await frame
    .getByRole('status')
    .getByText(
      'After today, you pay on Feb 6 and Feb 20. Your paydays allow up to 3 payments. All payments are due within 30 days, before your next rent.',
    )
    .waitFor();
  expect(await frame.getByLabel(/^4 payments.*Too few paydays/).isDisabled()).toBe(true);
  await frame.getByText('Matched to your paydays').waitFor();
  expect(sentPaydays().slice(before)).toEqual([{ frequency: 'biweekly', payday: '2026-02-06' }]);
  expect(await boxes()).toEqual(loading);

  await toConsent(it);
  expect(await datesOf(it)).toEqual(['Today, Feb 1', 'Fri, Feb 6', 'Fri, Feb 20']);
  await press(it, 'Back');
  await frame.getByText('Matched to your paydays').waitFor();
  await toConsent(it);
  await agree(it);
  await waitForTitle(it, 'Your rent is split');
  const accepted = stage.service.calls.findLast(({ call }) => call === 'POST /plan');
  expect(accepted?.body).toMatchObject({ quote_id: 'qte_3_biweekly' });
  await it.close();
});

test('the standard dates come back, also where no payday comes in time', async () => {
  const it = await stage.open({ state: stateOf(approved) });
  const { frame } = it;
  await matchPaydays(it, everyOtherFriday);
  await frame.getByText('Fri, Feb 20').first().waitFor();
  await press(it, 'Use the standard dates');
  await frame.getByText('Mon, Feb 23').first().waitFor();
  expect(it.tenant.paydays).toBeNull();
  expect(await frame.locator('select[name=frequency]').inputValue()).toBe('');

  await frame.locator('select[name=frequency]').selectOption('Once a month');
  await frame.getByLabel('Day of the month').selectOption('Last day');
  await frame.getByText('You have no payday in time for a second payment.').first().waitFor();
  expect(await frame.locator('.svc-schedule').count()).toBe(0);
  await chooseLanguage(it, 'Español');
  await frame.getByText('No hay un día de paga a tiempo para un segundo pago.').first().waitFor();
  await frame.getByRole('button', { name: 'Usar las fechas normales' }).click();
  await frame.getByText('Lun, 23 feb').first().waitFor();
  await it.close();
});

test('of several choices in a row the last one is kept, and an incomplete one ends the earlier one', async () => {
  const release = delayPaydays();
  const it = await stage.open({ state: stateOf(approved) });
  const { frame } = it;
  await frame.getByText('Wed, Feb 25').first().waitFor();
  const before = sentPaydays().length;
  await matchPaydays(it, { often: 'weekly', days: ['1'] });
  // While the quotes load, nothing can be agreed to.
  await frame.getByRole('button', { name: 'Loading' }).waitFor();
  await frame.getByLabel('On which day?').selectOption('Tuesday');
  await frame.getByLabel('On which day?').selectOption('Friday');
  release();
  await frame.getByText('Fri, Feb 13').first().waitFor();
  expect(sentPaydays().slice(before)).toEqual([
    { frequency: 'weekly', weekday: 1 },
    { frequency: 'weekly', weekday: 5 },
  ]);
  await frame.getByLabel('How often do you get paid?').selectOption('Twice a month');
  await frame.getByText('Wed, Feb 25').first().waitFor();
  expect(it.tenant.paydays).toBeNull();
  await frame.getByLabel('First payday of the month').selectOption('15');
  // The second day is another one.
  const second = frame.getByLabel('Second payday of the month');
  expect(await second.locator('option[value="15"]').count()).toBe(0);
  await it.close();
});

test('the keyboard is enough, and the focus stays on the answer', async () => {
  const it = await stage.open({ state: stateOf(approved) });
  const { frame, page } = it;
  await frame.getByText('Wed, Feb 25').first().waitFor();
  await frame.getByLabel(/^4 payments/).focus();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  await page.keyboard.type('Every week');
  await page.keyboard.press('Tab');
  await page.keyboard.type('Friday');
  await frame.getByText('Fri, Feb 13').first().waitFor();
  expect(await frame.evaluate(() => document.activeElement?.id)).toBe('payday_1');
  await it.close();
});

import { afterAll, beforeAll, expect, test } from 'vitest';
import { waitForTitle } from './fixture/actions.ts';
import { type Opened, type Stage, startStage } from './fixture/stage.ts';
import { approved, returning, stateOf } from './fixture/states.ts';
import { halfway, withPlan } from './manage-scenes.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await startStage();
});
afterAll(() => stage.close());

/** The label or text of the focused element. */
const focused = ({ frame }: Opened) =>
  frame.evaluate(() => {
    const it = document.activeElement;
    const label = it instanceof HTMLInputElement ? it.labels?.[0]?.textContent : null;
    return it === document.body ? '' : (label ?? it?.textContent ?? '').trim();
  });

/** Presses Tab until the control has the focus. Fails if it is not reached. */
async function tabTo(it: Opened, name: RegExp): Promise<void> {
  const seen: string[] = [];
  for (let turn = 0; turn < 40; turn += 1) {
    await it.page.keyboard.press('Tab');
    const now = await focused(it);
    if (name.test(now)) {
      expect(await ringOf(it), `${now} shows its focus`).toBe(true);
      return;
    }
    seen.push(now);
  }
  throw new Error(`${name} is not reached by Tab: ${seen.join(' | ')}`);
}

/** Returns whether a focus ring is drawn around the focused element or its card. */
const ringOf = ({ frame }: Opened) =>
  frame.evaluate(() => {
    const it = document.activeElement;
    return [it, it?.closest('label')].some(
      (element) => element instanceof Element && getComputedStyle(element).outlineStyle === 'solid',
    );
  });

async function pressKey(it: Opened, name: RegExp, key: 'Enter' | 'Space'): Promise<void> {
  await tabTo(it, name);
  await it.page.keyboard.press(key);
}

async function type(it: Opened, name: RegExp, text: string): Promise<void> {
  await tabTo(it, name);
  await it.page.keyboard.type(text);
}

test('the keyboard is enough to get from the offer to a plan', async () => {
  const it = await stage.open({ state: stateOf() });
  await pressKey(it, /^Start my application/, 'Enter');
  await waitForTitle(it, 'Two quick questions');
  await type(it, /^Date of birth/, '4/27/1990');
  await type(it, /^What’s your monthly income/, '4200');
  await pressKey(it, /^I agree that/, 'Space');
  await pressKey(it, /^Send my application/, 'Enter');
  await waitForTitle(it, /^You’re approved/);
  await it.frame.getByText('Elm Court gets').waitFor();
  await tabTo(it, /^4 payments/);
  await it.page.keyboard.press('ArrowLeft');
  await pressKey(it, /^Continue with 3 payments/, 'Enter');
  await waitForTitle(it, 'How do you want to pay?');
  await type(it, /^Find your bank/, 'platy');
  await pressKey(it, /Platypus National Bank/, 'Enter');
  await waitForTitle(it, 'Review and agree');
  await pressKey(it, /^I have read/, 'Space');
  await pressKey(it, /^Agree and pay/, 'Enter');
  await waitForTitle(it, 'Your rent is split');
  expect(it.tenant.plansMade).toBe(1);
  await it.close();
});

test('the keyboard is enough to move a payment and to change the language', async () => {
  const it = await stage.open({ state: withPlan(halfway) });
  await pressKey(it, /^Move a payment/, 'Enter');
  await waitForTitle(it, 'Move a payment');
  await tabTo(it, /^\$380\.03 Due Tuesday, February 17/);
  await pressKey(it, /^Tue,.Feb.10/, 'Space');
  await it.page.keyboard.press('ArrowDown');
  await pressKey(it, /^I get paid on another day/, 'Space');
  await pressKey(it, /^Move it to Thursday, February 12/, 'Enter');
  await it.frame.getByText('$380.03 is now due Thursday, February 12.').waitFor();
  await pressKey(it, /^Español/, 'Enter');
  await waitForTitle(it, /^Tu próximo pago es/);
  await it.close();
});

test('when the focused control is replaced, the focus moves to what replaces it', async () => {
  const account = await stage.open({ state: stateOf({ step: 'payment_method' }) });
  const hasFocus = async (it: Opened, name: RegExp) => {
    await expect.poll(() => focused(it)).toMatch(name);
  };
  await account.frame.getByRole('button', { name: 'Tin Roof Savings' }).waitFor();
  await pressKey(account, /Tin Roof Savings/, 'Enter');
  await hasFocus(account, /^Open Tin Roof Savings/);
  await pressKey(account, /^Choose another bank/, 'Enter');
  await hasFocus(account, /^Find your bank/);
  await pressKey(account, /^Enter account numbers instead/, 'Enter');
  await hasFocus(account, /^Routing number/);
  await pressKey(account, /^Find my bank instead/, 'Enter');
  await hasFocus(account, /^Find your bank/);
  await account.close();

  const onPage = stateOf({ step: 'payment_method', account_entry: 'page' });
  const secure = await stage.open({ state: onPage });
  await pressKey(secure, /^Continue/, 'Enter');
  await hasFocus(secure, /^Open the secure page/);
  await secure.close();

  const again = await stage.open({ state: stateOf(returning) });
  await pressKey(again, /^Start my application/, 'Enter');
  await waitForTitle(again, /./);
  await again.frame.getByRole('button', { name: /date of birth/i }).press('Enter');
  await hasFocus(again, /^Date of birth/);
  await again.close();

  const pay = await stage.open({ state: withPlan(halfway) });
  await pressKey(pay, /^Pay early/, 'Enter');
  await waitForTitle(pay, 'What do you want to pay now?');
  await pressKey(pay, /^Change/, 'Enter');
  await hasFocus(pay, /^Keep your bank account/);
  await pay.close();
});

test('when the agreement replaces its skeleton, its title has the focus', async () => {
  const it = await stage.open({ state: stateOf(approved) });
  await it.frame.getByText('Elm Court gets').waitFor();
  await it.frame.getByRole('button', { name: 'Change how you pay' }).press('Enter');
  await waitForTitle(it, 'How do you want to pay?');
  await it.frame.getByRole('button', { name: 'Back' }).press('Enter');
  await pressKey(it, /^Continue with/, 'Enter');
  await it.frame.getByText(/^I have read/).waitFor();
  await expect.poll(() => focused(it)).toBe('Review and agree');
  await it.close();
});

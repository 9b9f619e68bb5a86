import type { ExperienceState } from '@svc/contract';
import type { Frame } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { agree, chooseLanguage, fillApplication, press, waitForTitle } from './fixture/actions.ts';
import { type Opened, type Stage, startStage } from './fixture/stage.ts';
import { approved, stateOf } from './fixture/states.ts';
import { halfway, withPlan } from './manage-scenes.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await startStage();
});
afterAll(() => stage.close());

/**
 * Plays the same actions on a plain page and on one that the browser translates. Returns what the screen
 * of each says after each action.
 */
async function playTwice(
  state: ExperienceState,
  play: (opened: Opened, look: () => Promise<void>) => Promise<void>,
): Promise<{ plain: string[]; translated: string[] }> {
  const seen = { plain: [] as string[], translated: [] as string[] };
  for (const kind of ['plain', 'translated'] as const) {
    const opened = await stage.open({ state, isTranslated: kind === 'translated' });
    await play(opened, async () => {
      seen[kind].push(await textOf(opened.frame));
    });
    await opened.close();
  }
  return seen;
}

/** The visible text, with the names of the fields and their values. */
function textOf(frame: Frame): Promise<string> {
  return frame.locator('body').ariaSnapshot();
}

test('on a translated page, the choice shows the APR and the button of the chosen plan', async () => {
  const { plain, translated } = await playTwice(stateOf(approved), async (it, look) => {
    await it.frame.getByRole('button', { name: 'Continue with 4 payments' }).waitFor();
    await look();
    for (const count of [2, 3, 4, 2]) {
      await it.frame.getByLabel(new RegExp(`^${count} payments`)).check();
      await it.frame.getByRole('button', { name: `Continue with ${count} payments` }).waitFor();
      await look();
    }
  });
  expect(new Set(plain).size).toBe(3);
  expect(translated).toEqual(plain);
});

test('on a translated page, quotes that arrive late replace the placeholders', async () => {
  let release = (): void => undefined;
  const gate = new Promise<void>((resolve) => {
    release = resolve;
  });
  stage.service.delays.set('GET /quotes', gate);
  const opened = await stage.open({ state: stateOf(approved), isTranslated: true });
  await opened.frame.getByRole('button', { name: 'Loading' }).waitFor();
  release();
  await press(opened, 'Continue with 4 payments');
  await waitForTitle(opened, 'Review and agree');
  stage.service.delays.clear();
  await opened.close();
});

test('on a translated page, paying early shows the sum of the chosen payments everywhere', async () => {
  const { plain, translated } = await playTwice(withPlan(halfway), async (it, look) => {
    await press(it, /^Pay early/);
    const boxes = it.frame.getByRole('checkbox');
    await boxes.first().waitFor();
    await look();
    for (const box of await boxes.all()) {
      await box.setChecked(!(await box.isChecked()));
      await look();
    }
    for (const box of await boxes.all()) await box.check();
    await look();
    expect(await it.frame.getByRole('button', { name: 'Pay $760.06 now' }).innerText()).toBe(
      'Pay $760.06 now',
    );
    await press(it, 'Pay $760.06 now');
    await waitForTitle(it, 'Your plan is paid off');
    await look();
  });
  expect(translated).toEqual(plain);
});

test('on a translated page, the button to move a payment names the chosen day', async () => {
  const { plain, translated } = await playTwice(withPlan(halfway), async (it, look) => {
    await press(it, /^Move a payment/);
    const days = it.frame.locator('input[name=due_date]');
    await days.first().waitFor();
    for (const day of await days.all()) {
      await day.check();
      await look();
    }
  });
  expect(new Set(plain).size).toBe(plain.length);
  expect(translated).toEqual(plain);
});

test('on a translated page, a tenant applies, agrees and reads the receipt in both languages', async () => {
  const { plain, translated } = await playTwice(stateOf(), async (it, look) => {
    await press(it, 'Start my application');
    await waitForTitle(it, 'Two quick questions');
    await press(it, 'Send my application');
    await look();
    for (const language of ['Español', 'English'] as const) {
      await chooseLanguage(it, language);
      await look();
    }
    await fillApplication(it);
    await press(it, 'Send my application');
    await press(it, 'Continue with 4 payments');
    await press(it, 'Platypus National Bank');
    await waitForTitle(it, 'Review and agree');
    await look();
    await agree(it);
    await waitForTitle(it, 'Your rent is split');
    await look();
    await chooseLanguage(it, 'Español');
    await look();
  });
  expect(translated).toEqual(plain);
});

import type { Tab } from '../browser/open-tab.ts';
import type { SeenScreen } from '../browser/probe.ts';
import type { Notes } from './page-case.ts';

/** The input of a test tenant, by the field's name. The account works in every sandbox. */
const answers: Readonly<Record<string, string>> = {
  date_of_birth: '04/12/1990',
  monthly_income_in_cents: '9000',
  ssn: '123456789',
  routing_number: '110000000',
  account_number: '000111110000',
  account_number_again: '000111110000',
};

const submit = '.footer .svc-button--block:not(.svc-button--secondary)';
const typeNumbers = '.bank-picker > .svc-button--quiet';
const screenTimeoutMs = 20_000;
const mostActions = 60;
const mostTabs = 80;

/** Uses a control of the page by mouse or keyboard. Returns false if the control cannot be reached. */
interface InputMethod {
  press(tab: Tab, selector: string): Promise<boolean>;
  fill(tab: Tab, selector: string, text: string): Promise<boolean>;
}

const mouse: InputMethod = {
  press: (tab, selector) => tab.click('experience', selector),
  async fill(tab, selector, text) {
    if (!(await tab.click('experience', selector))) return false;
    await tab.type(text);
    return true;
  },
};

const keyboard: InputMethod = {
  async press(tab, selector) {
    if (!(await tabTo(tab, selector))) return false;
    await tab.press(selector.startsWith('input') ? 'Space' : 'Enter');
    return true;
  },
  async fill(tab, selector, text) {
    if (!(await tabTo(tab, selector))) return false;
    await tab.type(text);
    return true;
  },
};

async function tabTo(tab: Tab, selector: string): Promise<boolean> {
  for (let count = 0; count < mostTabs; count += 1) {
    if (await tab.look('experience', 'hasFocus', selector)) return true;
    await tab.press('Tab');
  }
  return false;
}

export type Played =
  | { readonly kind: 'done' }
  /** The experience stopped at a screen. */
  | { readonly kind: 'stuck'; readonly title: string; readonly why: string };

/** Goes through the open experience from its first screen to a plan, and closes it. */
export async function playTenant(
  tab: Tab,
  notes: Notes,
  way: 'mouse' | 'keyboard',
): Promise<Played> {
  const inputMethod = way === 'mouse' ? mouse : keyboard;
  let title = '';
  const isAccepted = () =>
    tab.requests.some(
      ({ url, method, status }) =>
        method === 'POST' && new URL(url).pathname === '/v1/experience/plan' && status === 200,
    );
  for (let count = 0; count < mostActions; count += 1) {
    const screen = await tab.until(
      () => tab.look('experience', 'screen'),
      (it) => !it.isBusy && (it.hasSubmit || it.hasBankList),
      screenTimeoutMs,
    );
    if (screen === null) {
      const last = await tab.look('experience', 'screen');
      return stuck(
        last?.title ?? title,
        last?.isBusy ? 'it still loads' : 'it offers nothing to do',
      );
    }
    if (screen.title !== title) notes.add(`Screen: ${screen.title}`);
    title = screen.title;
    const isLast = isAccepted() && screen.emptyFields.length === 0;
    const problem = await takeAction(tab, inputMethod, screen);
    if (problem !== null) return stuck(title, problem);
    if (isLast && (await isClosed(tab))) {
      notes.add('Closed the experience');
      return { kind: 'done' };
    }
    const before = JSON.stringify(screen);
    const next = await tab.until(
      async () => (await tab.look('experience', 'screen')) ?? null,
      (it) => JSON.stringify(it) !== before,
      screenTimeoutMs,
    );
    if (next === null) return stuck(title, 'pressing its button changes nothing');
    if (next.errors.length > 0 && next.title === title && screen.errors.length === 0) {
      return stuck(title, next.errors.join(' '));
    }
  }
  return stuck(title, `it is not over after ${mostActions} actions`);
}

const stuck = (title: string, why: string): Played => ({ kind: 'stuck', title, why });

/** Takes the next action on a screen. Returns why it cannot, or null. */
async function takeAction(
  tab: Tab,
  inputMethod: InputMethod,
  screen: SeenScreen,
): Promise<string | null> {
  const [field] = screen.emptyFields;
  const [box] = screen.uncheckedBoxes;
  const [group] = screen.unchosenGroups;
  const unreachable = (what: string) => `${what} cannot be reached`;
  if (field !== undefined) {
    const name = /name="([^"]*)"/.exec(field)?.[1] ?? '';
    const text = answers[name];
    if (text === undefined) return `it asks for ${name}, which this version does not know`;
    return (await inputMethod.fill(tab, field, text)) ? null : unreachable(`the field ${name}`);
  }
  if (screen.hasBankList) {
    return (await inputMethod.press(tab, typeNumbers))
      ? null
      : unreachable('the button to enter an account');
  }
  const selector = box ?? group ?? submit;
  return (await inputMethod.press(tab, selector)) ? null : unreachable(selector);
}

async function isClosed(tab: Tab): Promise<boolean> {
  const closed = await tab.until(
    () => tab.look('page', 'dialog'),
    ({ isOpen }) => !isOpen,
    5_000,
  );
  return closed !== null;
}

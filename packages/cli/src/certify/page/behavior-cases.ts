import type { Tab } from '../browser/open-tab.ts';
import { noWidget, widgetButton } from './appearance-cases.ts';
import { explainUnopened, isExchange } from './explain-unopened.ts';
import {
  type Finding,
  fail,
  type Notes,
  type PageCase,
  type PageRun,
  pass,
  skip,
  warn,
} from './page-case.ts';
import { playTenant } from './play-tenant.ts';
import { desktop, phone, tenantOf, visit } from './visit.ts';

const openTimeoutMs = 15_000;
const mostTabs = 150;

/** Waits until the dialog shows the experience. Returns null, or a finding that explains why it does not. */
async function waitUntilOpen(
  tab: Tab,
  run: PageRun,
  notes: Notes,
  before: number,
): Promise<Finding | null> {
  const opened = await tab.until(
    () => tab.look('page', 'dialog'),
    ({ isOpen, phase }) => isOpen && phase !== 'loading',
    openTimeoutMs,
  );
  notes.add('Waited for the experience', opened ? `It is ${opened.phase}.` : 'It did not open.');
  return opened?.phase === 'shown' ? null : explainUnopened(tab, run.serviceOrigin, before);
}

/** Resets the page's tenant, so that the tenant can split. Returns why the case cannot run, or null. */
async function prepareTenant(run: PageRun, notes: Notes): Promise<Finding | null> {
  return visit(run, notes, {}, async ({ widget, session }) => {
    if (!widget) return noWidget;
    const externalId = tenantOf(session);
    if (externalId === null) return null;
    if (!run.mayReset(externalId)) {
      return skip(`The page shows ${externalId}, who is not among --tenants and keeps their plan.`);
    }
    await run.resetTenant(externalId);
    notes.add('Took the page’s tenant back to before any plan');
    return null;
  });
}

function stoppedAt(title: string, why: string): Finding {
  return fail({
    summary: `The tenant got as far as “${title}”: ${why}.`,
    cause: 'The tenant that your page shows cannot split the rent.',
    fix: 'Show a test tenant with an open charge that is due within the next weeks, and send all charges in portal_info.',
    docs: '/docs/rehearsal',
  });
}

async function goToPlan(
  run: PageRun,
  notes: Notes,
  way: 'mouse' | 'keyboard',
  size: typeof desktop,
): Promise<Finding | null> {
  const unprepared = await prepareTenant(run, notes);
  if (unprepared) return unprepared;
  return visit(run, notes, { size }, async ({ tab, widget }) => {
    if (!widget) return noWidget;
    const before = tab.requests.length;
    if (way === 'mouse') {
      await tab.click('page', widgetButton);
      notes.add('Clicked the widget');
    } else {
      const unreached = await tabToWidget(tab, notes);
      if (unreached) return unreached;
      await tab.press('Enter');
      notes.add('Pressed Enter');
    }
    const unopened = await waitUntilOpen(tab, run, notes, before);
    if (unopened) return unopened;
    const played = await playTenant(tab, notes, way);
    if (played.kind === 'stuck') return stoppedAt(played.title, played.why);
    return null;
  });
}

export const clickToDone: PageCase = async (run, notes) => {
  for (const size of [desktop, phone]) {
    const finding = await goToPlan(run, notes, 'mouse', size);
    if (finding) return finding;
  }
  return pass('A tenant got from the click to a plan, on a desktop and on a phone.');
};

export const keyboardOnly: PageCase = async (run, notes) => {
  const finding =
    (await goToPlan(run, notes, 'keyboard', desktop)) ?? (await leaveByKeyboard(run, notes));
  return finding ?? pass('The keyboard is enough to get to a plan, to leave, and to get back.');
};

/** Presses Tab until the focus is on the widget's button. */
async function tabToWidget(tab: Tab, notes: Notes): Promise<Finding | null> {
  const seen: string[] = [];
  for (let count = 0; count < mostTabs; count += 1) {
    await tab.press('Tab');
    const focus = await tab.look('page', 'focus');
    if (focus?.place === 'widget') {
      notes.add(`Reached the widget after ${count + 1} presses of Tab`);
      return null;
    }
    seen.push(focus?.name ?? '');
    // The focus has gone through the whole page and starts again.
    if (count > 3 && focus?.place === 'body') break;
  }
  const isTrapped = new Set(seen.slice(-20)).size <= 2 && seen.length >= 20;
  return fail({
    summary: `${seen.length} presses of Tab did not reach the widget.`,
    cause: isTrapped
      ? `Something in your page keeps the focus: ${seen.at(-1)}.`
      : 'The widget is in an element that is inert, hidden, or skipped by the keyboard.',
    fix: 'Let Tab reach the widget: remove inert, and handlers that move the focus or cancel Tab.',
    docs: '/docs/accessibility',
  });
}

async function leaveByKeyboard(run: PageRun, notes: Notes): Promise<Finding | null> {
  return visit(run, notes, {}, async ({ tab, widget }) => {
    if (!widget) return noWidget;
    const unreached = await tabToWidget(tab, notes);
    if (unreached) return unreached;
    const before = tab.requests.length;
    await tab.press('Enter');
    const unopened = await waitUntilOpen(tab, run, notes, before);
    if (unopened) return unopened;
    await tab.press('Escape');
    const closed = await tab.until(
      () => tab.look('page', 'dialog'),
      ({ isOpen }) => !isOpen,
      5_000,
    );
    if (!closed) {
      return fail({
        summary: 'Escape did not close the experience.',
        cause: 'A script of your page takes the Escape key before the dialog gets it.',
        fix: 'Leave keys alone while the experience is open: EXPERIENCE_OPENED and EXPERIENCE_CLOSED tell when.',
        docs: '/docs/accessibility',
      });
    }
    const back = await tab.until(
      () => tab.look('page', 'focus'),
      ({ place }) => place === 'widget',
      2_000,
    );
    notes.add(
      'Pressed Escape',
      back ? 'The focus is back on the widget.' : 'The focus is elsewhere.',
    );
    if (back) return null;
    const focus = await tab.look('page', 'focus');
    return warn({
      summary: `After Escape the focus is on ${focus?.name || 'the page'}, not on the widget.`,
      cause: 'Your page moves the focus, or replaces the widget, when the experience closes.',
      fix: 'Keep the widget’s element, and set no focus in EXPERIENCE_CLOSED.',
      docs: '/docs/accessibility',
    });
  });
}

const slowMs = 2_000;

export const serviceSlow: PageCase = async (run, notes) => {
  const usual = await visit(run, notes, {}, async ({ tab, widget }) => {
    const page = await tab.look('page', 'page', run.serviceOrigin);
    return widget ? (page?.firstPaint ?? null) : undefined;
  });
  if (usual === undefined) return noWidget;
  const finding = await visitSlowly(run, notes, usual ?? 0, slowMs);
  // A busy machine can draw late once. Only a page that waits for our script waits twice as long with twice the delay.
  return finding.status === 'fail' ? visitSlowly(run, notes, usual ?? 0, 2 * slowMs) : finding;
};

async function visitSlowly(
  run: PageRun,
  notes: Notes,
  usualMs: number,
  delayMs: number,
): Promise<Finding> {
  const interceptor = () => ({ kind: 'continue' as const, delayMs });
  return visit(
    run,
    notes,
    { interceptor, widgetMs: 4 * delayMs + 5_000 },
    async ({ tab, widget }) => {
      const page = await tab.look('page', 'page', run.serviceOrigin);
      const paint = page?.firstPaint ?? null;
      const seconds = delayMs / 1000;
      notes.add(
        `Each answer of the service took ${seconds} s more`,
        paint === null ? 'Nothing was drawn.' : `The page was drawn after ${Math.round(paint)} ms.`,
      );
      if (paint === null || (paint >= delayMs && paint - usualMs > 0.75 * delayMs)) {
        return fail({
          summary: `The page stayed empty until the service had answered, ${seconds} s later than usual.`,
          cause: 'A <script> in your page’s head loads the SDK and keeps the browser from drawing.',
          fix: 'Load the SDK with type="module", defer or async, or bundle @svc/core.',
          docs: '/docs/widget#other-ways-in',
        });
      }
      if (!widget) {
        return fail({
          summary: `With a service that is ${seconds} s slower, the widget did not appear.`,
          cause: 'Your page gives up on the SDK before it has loaded.',
          fix: 'Wait for the script’s load event, however long it takes.',
          docs: '/docs/widget#other-ways-in',
        });
      }
      return pass(`The page was drawn at once, and the widget followed when the service answered.`);
    },
  );
}

export const serviceDown: PageCase = async (run, notes) => {
  const usual = await visit(run, notes, {}, async ({ tab, widget }) => ({
    widget,
    text: (await tab.look('page', 'page', run.serviceOrigin))?.text ?? '',
  }));
  const { widget } = usual;
  if (!widget) return noWidget;
  const interceptor = () => ({ kind: 'abort' as const });
  return visit(
    run,
    notes,
    { interceptor, widgetMs: 2_000 },
    async ({ tab, loaded, widget: shown }) => {
      const page = await tab.look('page', 'page', run.serviceOrigin);
      const text = page?.text.trim() ?? '';
      notes.add(
        'Broke the browser’s connection to the service',
        `The page has ${text.length} characters of text.`,
      );
      if (!loaded.isComplete || (text === '' && usual.text.trim() !== '')) {
        return fail({
          summary: 'Without the service, the page is empty.',
          cause: 'Your page’s own scripts stop when the SDK does not load.',
          fix: 'Load the SDK apart from your own scripts, or catch the error of import().',
          docs: '/docs/html#fallback',
        });
      }
      if (shown) return pass('Without the service, the page and the widget are shown.');
      const containerContent = await tab.look('page', 'containerText', widget.container);
      notes.add('Looked into the widget’s container', containerContent);
      if (containerContent === '') {
        return warn({
          summary: 'Without the service, the page has an empty place where the widget would be.',
          cause: `The container ${widget.container} has no fallback.`,
          fix: 'Put a sentence into the container, such as how to pay in full. The widget takes its place.',
          docs: '/docs/html#fallback',
        });
      }
      return pass(
        'Without the service, the page is shown, with a fallback in place of the widget.',
      );
    },
  );
};

const refusedToken = {
  error: {
    code: 'invalid_token',
    message: 'The token is used, expired or of another tenant.',
    request_id: 'req_certify',
  },
  data: null,
};

export const tokenExpired: PageCase = (run, notes) => {
  const tokens: (string | null)[] = [];
  const interceptor = ({ url, method, body }: { url: string; method: string; body: string }) => {
    if (!isExchange({ url, method })) return { kind: 'continue' as const };
    tokens.push(tokenIn(body));
    return tokens.length === 1
      ? { kind: 'answer' as const, status: 401, body: refusedToken }
      : { kind: 'continue' as const };
  };
  return visit(run, notes, { interceptor }, async ({ tab, widget }) => {
    if (!widget) return noWidget;
    const before = tab.requests.length;
    await tab.click('page', widgetButton);
    const first = await tab.until(
      async () => tokens.length,
      (count) => count > 0,
      openTimeoutMs,
    );
    if (first === null) return explainUnopened(tab, run.serviceOrigin, before);
    notes.add('Clicked the widget, and refused its token as expired');
    // With fetchToken the page brings a new one at once. Otherwise the tenant is asked to try again.
    await tab.until(
      async () => {
        const dialog = await tab.look('page', 'dialog');
        if (tokens.length > 1 || !dialog?.isOpen) return true;
        if (dialog.phase === 'failed') return tab.click('page', '.svc-failure .svc-button');
        if (dialog.phase !== 'shown') return false;
        return tab.click('experience', '.actions .svc-button:last-child');
      },
      Boolean,
      openTimeoutMs,
    );
    const second = await tab.until(
      async () => tokens.length,
      (count) => count > 1,
      openTimeoutMs,
    );
    notes.add('Tried again', second === null ? 'No other token came.' : 'The page passed a token.');
    if (second === null || tokens[0] === tokens[1]) {
      return fail({
        summary:
          second === null
            ? 'After the token was refused, the page brought no other one.'
            : 'After the token was refused, the page passed the same token again.',
        cause: 'Your page keeps the first token. A token works once, for 60 minutes.',
        fix: 'Call your backend, and portal_info there, in each call of onWidgetClickCallback or fetchToken.',
        docs: '/docs/backend',
      });
    }
    const shown = await tab.until(
      () => tab.look('page', 'dialog'),
      ({ phase }) => phase === 'shown',
      openTimeoutMs,
    );
    if (!shown) return explainUnopened(tab, run.serviceOrigin, before);
    return pass('The page brought a new token, and the experience opened.');
  });
};

function tokenIn(body: string): string | null {
  try {
    return JSON.parse(body).token ?? null;
  } catch {
    return null;
  }
}

export const doubleClick: PageCase = (run, notes) =>
  visit(run, notes, {}, async ({ tab, widget }) => {
    if (!widget) return noWidget;
    const before = tab.requests.length;
    const hadErrors = tab.exceptions.length;
    await tab.click('page', widgetButton, 2);
    notes.add('Clicked the widget twice');
    const unopened = await waitUntilOpen(tab, run, notes, before);
    if (unopened) return unopened;
    const exchanges = tab.requests.filter(isExchange);
    const { count } = (await tab.look('page', 'dialog')) ?? { count: 0 };
    if (count > 1 || exchanges.length > 1) {
      return fail({
        summary: `A double click opened the experience ${Math.max(count, exchanges.length)} times.`,
        cause: 'Your page creates another instance, or passes another token, for each click.',
        fix: 'Create the widget once, and return one token from each call of onWidgetClickCallback.',
        docs: '/docs/widget#instance',
      });
    }
    const exception = tab.exceptions[hadErrors];
    if (exception !== undefined) {
      return fail({
        summary: `The second click caused an error: ${exception}`,
        cause: 'A script of your page fails when it is called a second time.',
        fix: 'Fix the error: the browser’s console has its place.',
        docs: '/docs/errors#callback_threw',
      });
    }
    return pass('A double click opened the experience once.');
  });

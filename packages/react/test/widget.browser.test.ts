import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import type { Opened } from '../../core/test/fixture/stage.ts';
import { type ReactStage, reacts, startReactStage } from './fixture/react-stage.ts';

let stage: ReactStage;
beforeAll(async () => {
  stage = await startReactStage();
});
afterAll(() => stage.close());
beforeEach(() => stage.service.reset());

const shown = 'iframe:not([inert])';

test('StrictMode mounts one widget, emits ready once, and leaves nothing', async () => {
  const opened = await stage.openApp();
  await opened.page.evaluate(() =>
    window.app.renderStrict({
      onWidgetClickCallback: () => window.app.openByModule('svc_tt_1'),
    }),
  );
  await opened.event('WIDGET_READY');
  expect(await opened.page.locator('[part=card]').count()).toBe(1);
  await opened.page.getByRole('button').click();
  await opened.page.locator(shown).waitFor();
  expect(await opened.types()).toEqual(['WIDGET_READY', 'WIDGET_CLICKED', 'EXPERIENCE_OPENED']);
  await opened.page.evaluate(() => window.app.unmount());
  expect(await opened.event('EXPERIENCE_CLOSED')).toEqual({
    reason: 'destroyed',
    last_step: 'offer',
  });
  expect(await opened.page.locator('[part=card], dialog').count()).toBe(0);
  expect(opened.faults).toEqual([]);
  await opened.close();
});

test.each(reacts)(
  'React %s: the server renders the reserved box, and hydration finds what it expects',
  async (react) => {
    const complaints = vi.spyOn(console, 'error');
    const html = await stage.renderOnServer(react);
    expect(complaints.mock.calls).toEqual([]);
    complaints.mockRestore();
    expect(html.replace(' data-reactroot=""', '')).toBe(
      '<div><svg width="1" height="250" viewBox="0 0 1 250" display="block" aria-hidden="true"></svg></div>',
    );
    const opened = await stage.openApp({ slot: 'width:420px' }, react);
    const errors = consoleErrorsOf(opened);
    const shifts = await opened.page.evaluate((markup) => {
      const slot = document.getElementById('slot') as HTMLElement;
      slot.innerHTML = markup;
      slot.insertAdjacentHTML('afterend', '<p>Below</p>');
      return new Promise<number>((resolve) => {
        requestAnimationFrame(() => {
          window.app.hydrate();
          requestAnimationFrame(() => setTimeout(() => resolve(window.shifts)));
        });
      });
    }, html);
    await opened.event('WIDGET_READY');
    expect(shifts).toBe(0);
    expect(await opened.page.evaluate(() => window.app.errors)).toEqual([]);
    expect(errors).toEqual([]);
    await opened.close();
  },
);

test.each(reacts)(
  'React %s: under a policy without inline styles the server reserves the height, and nothing shifts',
  async (react) => {
    const content = await stage.renderOnServer(react);
    const opened = await stage.openApp(
      {
        content,
        after: '<p id="below">Below</p>',
        csp: `default-src 'none'; script-src 'self'; style-src 'none'; img-src data:; frame-src ${stage.service.origin}`,
      },
      react,
    );
    const below = () => opened.page.locator('#below').boundingBox();
    const height = () =>
      opened.page.locator('#slot > div').evaluate((it) => it.getBoundingClientRect().height);
    expect(await height()).toBe(250);
    const before = await below();
    await opened.page.evaluate(() => window.app.hydrate());
    await opened.event('WIDGET_READY');
    expect(await height()).toBe(250);
    expect(await below()).toEqual(before);
    await opened.page.evaluate(() => window.app.openByModule('svc_tt_1'));
    await opened.page.locator(shown).waitFor();
    expect(await opened.page.evaluate(() => window.shifts)).toBe(0);
    expect(await opened.page.evaluate(() => window.violations)).toEqual([]);
    expect(await opened.page.evaluate(() => window.app.errors)).toEqual([]);
    expect(opened.faults).toEqual([]);
    await opened.close();
  },
);

test('the element fills a container that is higher, and its own style wins', async () => {
  const opened = await stage.openApp({ slot: 'width:420px;height:400px' });
  const height = () =>
    opened.page.locator('#slot > div').evaluate((it) => (it as HTMLElement).offsetHeight);
  await opened.page.evaluate(() => window.app.render({}));
  await opened.event('WIDGET_READY');
  expect(await height()).toBe(400);
  await opened.page.evaluate(() => window.app.render({ style: { height: 300 } }));
  await expect.poll(height).toBe(300);
  await opened.page.evaluate(() => window.app.render({}));
  await expect.poll(height).toBe(400);
  await opened.close();
});

test.each(reacts)(
  'React %s: mounts, changes in place, opens, and leaves nothing',
  async (react) => {
    const opened = await stage.openApp({}, react);
    const errors = consoleErrorsOf(opened);
    expect(await opened.page.evaluate(() => window.app.version)).toMatch(react);
    await opened.page.evaluate(() => window.app.renderStrict());
    await opened.event('WIDGET_READY');
    const card = opened.page.locator('[part=card]');
    const node = await card.elementHandle();
    await opened.page.evaluate(() => window.app.renderStrict({ balance: 100 }));
    await card.getByText('$1.00').waitFor();
    expect(await node?.evaluate((it) => it.isConnected)).toBe(true);
    await opened.page.evaluate(() => window.app.openByRef('svc_tt_1'));
    await opened.page.locator(shown).waitFor();
    await opened.page.evaluate(() => window.app.unmount());
    await opened.event('EXPERIENCE_CLOSED');
    expect(await opened.types()).toEqual([
      'WIDGET_READY',
      'EXPERIENCE_OPENED',
      'EXPERIENCE_CLOSED',
    ]);
    expect(await opened.page.locator('[part=card], dialog').count()).toBe(0);
    await opened.page.evaluate(() => window.app.renderWithHook());
    await card.waitFor();
    await opened.page.evaluate(() => void window.app.openFunctions[0]?.({ token: 'svc_tt_2' }));
    await opened.page.locator(shown).waitFor();
    expect(opened.faults).toEqual([]);
    expect(errors).toEqual([]);
    await opened.close();
  },
);

test('props change in place, and a prop that is gone takes its setting with it', async () => {
  const opened = await stage.openApp();
  await opened.page.evaluate(() => window.app.render({ product_variant: 'hoa' }));
  const card = opened.page.locator('[part=card]');
  const node = await card.elementHandle();
  await card.getByText('Association dues').waitFor();
  await opened.page.evaluate(() => window.app.render({ balance: 100 }));
  await card.getByText('$1.00').waitFor();
  expect(await card.innerText()).toContain('Balance');
  expect(await node?.evaluate((it) => it.isConnected)).toBe(true);
  await opened.close();
});

test('the callbacks of the last render are the ones that are called', async () => {
  const opened = await stage.openApp();
  await opened.page.evaluate(() => {
    for (const round of ['first', 'second']) {
      window.app.render({
        onEvent: (...[type]) => window.driver.events.push([`${round} ${type}`, {}]),
        onWidgetClickCallback: () => {
          window.driver.events.push([`${round} callback`, {}]);
        },
      });
    }
  });
  await opened.event('second WIDGET_READY');
  await opened.page.getByRole('button').click();
  expect((await opened.types()).slice(-2)).toEqual(['second WIDGET_CLICKED', 'second callback']);
  await opened.close();
});

test('wrong props are reported by name without breaking the page; right ones show the widget', async () => {
  const opened = await stage.openApp();
  const errors = consoleErrorsOf(opened);
  await opened.page.evaluate(() => {
    window.app.render({ signature: '' });
    window.app.render({ signature: '' });
  });
  expect(await opened.event('ERROR')).toMatchObject({
    code: 1000,
    error_code: 'invalid_settings',
    msg: expect.stringContaining('signature: the string is not made of 64'),
    retryable: false,
  });
  expect(await opened.types()).toEqual(['ERROR']);
  expect(await opened.page.locator('[part=card]').count()).toBe(0);
  // A sandbox page says so in the box and in one line of the console.
  const note = opened.page.getByRole('note');
  expect(await note.innerText()).toContain('signature: the string is not made of 64');
  await expect.poll(() => errors).toHaveLength(1);
  expect(errors[0]).toMatch(/^Svc 1000 invalid_settings: signature: .* http.*#invalid_settings$/);
  await opened.page.evaluate(() => window.app.render({}));
  await opened.page.locator('[part=card]').waitFor();
  expect(await note.count()).toBe(0);
  expect(await opened.page.evaluate(() => window.app.problemsOfRef())).toEqual([]);
  expect(opened.faults).toEqual([]);
  await opened.close();
});

test('in production, wrong props are an event only', async () => {
  const opened = await stage.openApp();
  const errors = consoleErrorsOf(opened);
  await opened.page.evaluate(() => window.app.render({ environment: 'production', signature: '' }));
  expect(await opened.event('ERROR')).toMatchObject({ error_code: 'invalid_settings' });
  expect(await opened.page.getByRole('note').count()).toBe(0);
  expect(errors).toEqual([]);
  await opened.close();
});

test('without a handler for events, wrong props do not break the page either', async () => {
  const opened = await stage.openApp();
  await opened.page.evaluate(() => window.app.render({ onEvent: undefined as never }));
  await opened.page.evaluate(() => window.app.render({}));
  await opened.page.locator('[part=card]').waitFor();
  expect(opened.faults).toEqual([]);
  await opened.close();
});

test('the ref opens its own widget', async () => {
  const opened = await stage.openApp();
  await opened.page.evaluate(() => window.app.render({}, { externalId: 't-200' }));
  await opened.page.locator('[part=card]').nth(1).waitFor();
  await opened.page.evaluate(() => window.app.openByRef('svc_tt_1'));
  await opened.page.locator(shown).waitFor();
  const frame = await opened.frame();
  expect(await frame.evaluate(() => window.received[0]?.externalId)).toBe('t-100');
  await opened.close();
});

test('useSvc gives the same functions at each render, and opens the widget that has its ref', async () => {
  const opened = await stage.openApp();
  await opened.page.evaluate(() => {
    window.app.renderWithHook();
    window.app.renderWithHook({ balance: 1 });
  });
  await opened.page.locator('[part=card]').waitFor();
  await opened.page.evaluate(() => {
    const [first, ...others] = window.app.openFunctions;
    if (others.some((it) => it !== first)) throw new Error('not the same');
    void first?.({ token: 'svc_tt_1' });
  });
  await opened.page.locator(shown).waitFor();
  expect(opened.faults).toEqual([]);
  await opened.close();
});

test('the module-level call goes to the only widget', async () => {
  const opened = await stage.openApp();
  expect(await opened.page.evaluate(() => window.app.openByModule('svc_tt_1'))).toBe('not_mounted');
  await opened.page.evaluate(() => window.app.render({}));
  await opened.page.locator('[part=card]').waitFor();
  await opened.page.evaluate(() => window.app.openByModule('svc_tt_1'));
  await opened.page.locator(shown).waitFor();
  await opened.close();
});

test('of several it goes to the one whose callback runs, otherwise it throws', async () => {
  const opened = await stage.openApp();
  await opened.page.evaluate(() => {
    const onWidgetClickCallback = async () => {
      await new Promise((resolve) => setTimeout(resolve));
      window.app.openByModule('svc_tt_1');
    };
    window.app.render({}, { externalId: 't-200', onWidgetClickCallback });
  });
  await opened.page.locator('[part=card]').nth(1).waitFor();
  expect(await opened.page.evaluate(() => window.app.openByModule('svc_tt_1'))).toBe(
    'ambiguous_instance',
  );
  await opened.page.getByRole('button').nth(1).click();
  await opened.page.locator(shown).waitFor();
  const frame = await opened.frame();
  expect(await frame.evaluate(() => window.received[0]?.externalId)).toBe('t-200');
  await opened.page.keyboard.press('Escape');
  await expect.poll(() => opened.types()).toContain('EXPERIENCE_CLOSED');
  expect(await opened.page.evaluate(() => window.app.openByModule('svc_tt_2'))).toBe(
    'ambiguous_instance',
  );
  await opened.close();
});

test('unmounting at any moment breaks nothing', async () => {
  const opened = await stage.openApp();
  await opened.page.evaluate(async () => {
    const tick = () => new Promise((resolve) => setTimeout(resolve));
    for (let round = 0; round < 5; round += 1) {
      window.app.renderStrict({ identityCheck: 'mount' });
      await tick();
      window.app.openByRef('svc_tt_1');
      if (round % 2) await tick();
      window.app.unmount();
    }
  });
  await opened.page.waitForLoadState('networkidle');
  expect(await opened.page.locator('[part=card], dialog').count()).toBe(0);
  expect(await opened.page.evaluate(() => document.adoptedStyleSheets.length)).toBe(0);
  expect(opened.faults).toEqual([]);
  await opened.close();
});

test('with the fake in place of the core a page is played through without a frame', async () => {
  const opened = await stage.openFakeApp();
  await opened.page.evaluate(() =>
    window.app.render({ onWidgetClickCallback: () => void window.app.openByModule('svc_tt_1') }),
  );
  await opened.page.getByRole('button', { name: 'See my options' }).click();
  await opened.event('EXPERIENCE_OPENED');
  await opened.page.evaluate(() => window.app.unmount());
  expect(await opened.event('EXPERIENCE_CLOSED')).toMatchObject({ reason: 'destroyed' });
  expect(await opened.page.locator('iframe').count()).toBe(0);
  expect(stage.service.requests).toEqual([]);
  expect(opened.faults).toEqual([]);
  await opened.close();
});

/** Collects the errors in the page's console. */
function consoleErrorsOf({ page }: Opened): string[] {
  const errors: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(message.text());
  });
  return errors;
}

test('with React Router, back goes a step back, closes the experience, and then leaves the page', async () => {
  const opened = await stage.openRoutedApp();
  const start = opened.page.url();
  await opened.page.getByRole('link', { name: 'Pay rent' }).click();
  await opened.page.getByRole('button', { name: 'See my options' }).click();
  await opened.page.locator(shown).waitFor();
  const rent = opened.page.url();
  expect(rent).toMatch(/\/rent$/);
  const inside = await opened.frame();
  // Messages arrive in order: once the event is there, so is `can_go_back`.
  const setCanGoBack = (value: boolean) =>
    inside.evaluate((value) => {
      window.say({ type: 'can_go_back', value });
      window.say({ type: 'event', event: { type: 'USER_APPROVED', data: {} } });
    }, value);
  const approvals = async () => (await opened.types()).filter((type) => type === 'USER_APPROVED');
  await setCanGoBack(true);
  await expect.poll(approvals).toHaveLength(1);
  await opened.page.goBack();
  await expect
    .poll(() => inside.evaluate(() => window.received.map(({ type }) => type)))
    .toContain('back');
  expect(await opened.page.locator('dialog[open]').count()).toBe(1);
  expect(opened.page.url()).toBe(rent);
  await setCanGoBack(false);
  await expect.poll(approvals).toHaveLength(2);
  await opened.page.goBack();
  await opened.page.locator('dialog[open]').waitFor({ state: 'detached' });
  await opened.page.getByRole('heading', { name: 'Rent' }).waitFor();
  expect(opened.page.url()).toBe(rent);
  // After the experience was opened and closed once more, the previous page is still one step back.
  await opened.page.getByRole('button', { name: 'Choose my plan' }).click();
  await opened.page.locator(shown).waitFor();
  const second = await opened.frame();
  await second.evaluate(() =>
    window.say({ type: 'close', reason: 'dismissed', last_step: 'offer' }),
  );
  await opened.page.locator('dialog[open]').waitFor({ state: 'detached' });
  await opened.page.getByRole('button', { name: 'Choose my plan' }).click();
  await opened.page.locator(shown).waitFor();
  await opened.page.goBack();
  await opened.page.locator('dialog[open]').waitFor({ state: 'detached' });
  expect(opened.page.url()).toBe(rent);
  await opened.page.goBack();
  await opened.page.getByRole('link', { name: 'Pay rent' }).waitFor();
  expect(opened.page.url()).toBe(start);
  expect(opened.faults).toEqual([]);
  await opened.close();
});

import type { Frame } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Listening, listen } from './fixture/listen.ts';
import { type Opened, type Stage, startStage } from './fixture/stage.ts';

let stage: Stage;
/** Another site that the page frames, and that tries to get a port. */
let stranger: Listening;
beforeAll(async () => {
  stage = await startStage();
  stranger = await listen((_, response) => {
    response.setHeader('content-type', 'text/html');
    response.end(`<!doctype html><script>
      window.ports = 0;
      addEventListener('message', (event) => { window.ports += event.ports.length; });
    </script>`);
  });
});
afterAll(() => Promise.all([stage.close(), stranger.close()]));
beforeEach(() => stage.service.reset());

async function openExperience(after = ''): Promise<Opened & { inside: Frame }> {
  const opened = await stage.open({ after });
  await opened.mount({ identityCheck: 'open' });
  await opened.page.evaluate(() => window.driver.open());
  await opened.page.locator('dialog iframe:not([inert])').waitFor();
  const inside = await opened.frame();
  return { ...opened, inside };
}

/** Waits until every message in flight has arrived. */
const settle = ({ page }: Opened) =>
  page.evaluate(
    () =>
      new Promise<void>((resolve) => {
        addEventListener('message', () => resolve(), { once: true });
        postMessage('through', '*');
      }),
  );

test('a hello from another window of another origin gets no port', async () => {
  const { inside, ...opened } = await openExperience(
    `<iframe id="stranger" src="${stranger.origin}"></iframe>`,
  );
  const frame = await (await opened.page.$('#stranger'))?.contentFrame();
  await frame?.evaluate(() =>
    parent.postMessage({ svc: 1, type: 'hello', nonce: 'x'.repeat(22) }, '*'),
  );
  await settle(opened);
  expect(await frame?.evaluate(() => window.ports)).toBe(0);
  expect(await inside.evaluate(() => window.ports)).toBe(1);
  await opened.close();
});

test('a hello from the service, but from another frame, gets no port', async () => {
  const { inside, ...opened } = await openExperience(
    `<iframe id="twin" src="${stage.service.origin}/experience/maple"></iframe>`,
  );
  const twin = await (await opened.page.$('#twin'))?.contentFrame();
  await twin?.evaluate(() => {
    window.received = [];
    addEventListener('message', ({ data }) => window.received.push(data));
    window.hello('y'.repeat(22));
  });
  await settle(opened);
  await opened.page.locator('#twin').evaluate((it: HTMLIFrameElement) => {
    it.contentWindow?.postMessage({ type: 'last' }, '*');
  });
  await twin?.waitForFunction(() => window.received.length > 0);
  expect(await twin?.evaluate(() => window.received)).toEqual([{ type: 'last' }]);
  expect(await inside.evaluate(() => window.ports)).toBe(1);
  await opened.close();
});

test('a hello from the page itself, or forged with its origin, gets no port', async () => {
  const { inside, ...opened } = await openExperience();
  const ports = await opened.page.evaluate(async () => {
    let ports = 0;
    addEventListener('message', (event) => {
      ports += event.ports.length;
    });
    const data = { svc: 1, type: 'hello', nonce: 'z'.repeat(22) };
    postMessage(data, '*');
    dispatchEvent(new MessageEvent('message', { data, origin: 'http://localhost' }));
    dispatchEvent(new MessageEvent('message', { data, source: window, origin: location.origin }));
    await new Promise((resolve) => setTimeout(resolve));
    return ports;
  });
  expect(ports).toBe(0);
  expect(await inside.evaluate(() => window.ports)).toBe(1);
  await opened.close();
});

test('our frame, navigated to another origin, gets no more messages', async () => {
  const { inside, ...opened } = await openExperience();
  await inside.goto(stranger.origin);
  await inside.evaluate(() =>
    parent.postMessage({ svc: 1, type: 'hello', nonce: 'w'.repeat(22) }, '*'),
  );
  await settle(opened);
  expect(await inside.evaluate(() => window.ports)).toBe(0);
  await opened.close();
});

test('a document without an origin gets no port, in our frame or next to it', async () => {
  const hello = `parent.postMessage({ svc: 1, type: 'hello', nonce: 'n'.repeat(22) }, '*')`;
  const page = `<script>window.ports = 0;
    addEventListener('message', (event) => { window.ports += event.ports.length; });${hello}</script>`;
  const { inside, ...opened } = await openExperience(
    `<iframe id="opaque" sandbox="allow-scripts" srcdoc="${page.replaceAll('"', '&quot;')}"></iframe>`,
  );
  const beside = await (await opened.page.$('#opaque'))?.contentFrame();
  await beside?.evaluate(hello);
  await inside.goto(`data:text/html,${encodeURIComponent(page)}`);
  await inside.evaluate(hello);
  await settle(opened);
  expect(await beside?.evaluate(() => window.ports)).toBe(0);
  expect(await inside.evaluate(() => window.ports)).toBe(0);
  await opened.close();
});

test('a flood of hellos gets one port for each new nonce, and only the last one stays open', async () => {
  const { inside, ...opened } = await openExperience();
  await opened.page.evaluate(() => {
    addEventListener('message', () => window.driver.results.push('hello'));
  });
  await inside.evaluate(() => {
    for (let index = 0; index < 500; index += 1) window.hello(`${index % 5}${'f'.repeat(22)}`);
  });
  await opened.page.waitForFunction(() => window.driver.results.length === 500);
  // The test's frame page accepts a port only for its own nonce, and that port is closed by now.
  expect(await inside.evaluate(() => window.ports)).toBe(1);
  await inside.evaluate(() => window.say({ type: 'close', reason: 'dismissed', last_step: null }));
  await settle(opened);
  expect(await opened.types()).not.toContain('EXPERIENCE_CLOSED');
  expect(opened.faults).toEqual([]);
  await opened.close();
});

test('a replayed hello and one without a valid nonce get no port', async () => {
  const { inside, ...opened } = await openExperience();
  const ports = await inside.evaluate(async () => {
    let ports = 0;
    addEventListener('message', (event) => {
      ports += event.ports.length;
    });
    window.hello();
    window.hello();
    window.hello('short');
    window.hello(undefined);
    window.hello(null);
    window.hello({ length: 1 });
    parent.postMessage({ svc: 2, type: 'hello', nonce: 'v'.repeat(22) }, '*');
    parent.postMessage({ svc: 1, type: 'port', nonce: 'v'.repeat(22) }, '*');
    parent.postMessage(null, '*');
    parent.postMessage('svc', '*');
    // A valid hello comes last: its response shows that all earlier ones were handled.
    const answered = new Promise((resolve) => addEventListener('message', resolve));
    window.hello('g'.repeat(22));
    await answered;
    return ports;
  });
  expect(ports).toBe(1);
  expect(await inside.evaluate(() => window.ports)).toBe(1);
  expect(opened.faults).toEqual([]);
  await opened.close();
});

test('messages outside the protocol are ignored on the port', async () => {
  const { inside, ...opened } = await openExperience();
  await inside.evaluate(() => {
    for (const message of [null, 5, 'close', { type: 'close' }, { svc: 2, type: 'escape' }, []]) {
      window.port.postMessage(message);
    }
    window.say({ type: 'event', event: { type: 'USER_APPROVED', data: {} } });
  });
  await opened.event('USER_APPROVED');
  expect(await opened.page.evaluate(() => window.driver.results)).toEqual([]);
  expect(opened.faults).toEqual([]);
  await opened.close();
});

test('token, signature and tenant are only sent over the port', async () => {
  const opened = await stage.open();
  const said: string[] = [];
  opened.page.on('console', (message) => said.push(message.text()));
  await opened.mount();
  await opened.page.evaluate(() => window.driver.open('svc_tt_secret'));
  await opened.page.locator('dialog iframe:not([inert])').waitFor();
  const dom = await opened.page.evaluate(() => {
    const text = (root: Element | ShadowRoot): string =>
      root.innerHTML +
      [...root.querySelectorAll('*')]
        .map((it) => (it.shadowRoot ? text(it.shadowRoot) : ''))
        .join();
    return text(document.documentElement);
  });
  const events = JSON.stringify(await opened.events());
  const storage = await opened.page.evaluate(
    () => document.cookie + JSON.stringify([localStorage, sessionStorage]),
  );
  for (const place of [dom, events, storage, said.join(), stage.service.requests.join()]) {
    expect(place).not.toMatch(/svc_tt_secret|t-100|55555555/);
  }
  await opened.close();
});

test('messages to a closed instance are ignored', async () => {
  const { inside: _, ...opened } = await openExperience();
  const listeners = await opened.page.evaluate(() => {
    const { svc } = window.driver;
    svc.destroy();
    window.driver.events.length = 0;
    postMessage({ svc: 1, type: 'hello', nonce: 'u'.repeat(22) }, '*');
    return window.driver.events.length;
  });
  expect(listeners).toBe(0);
  expect(opened.faults).toEqual([]);
  await opened.close();
});

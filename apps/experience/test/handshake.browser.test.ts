import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { validSignature } from './fixture/api.ts';
import { type Stage, startStage } from './fixture/stage.ts';
import { stateOf } from './fixture/states.ts';
import { FixtureTenant } from './fixture/tenants.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await startStage();
});
afterEach(() => {
  stage.service.allowedOrigins = '*';
});
afterAll(() => stage.close());

interface Hostile {
  partner: {
    open: (src: string, theme: string) => Promise<string>;
    frame: HTMLIFrameElement;
    hellos: unknown[];
  };
  ports: MessagePort[];
  answers: unknown[];
}

async function openFrame(): Promise<{ page: Page; nonce: string }> {
  const page = await stage.newPage();
  await page.goto(stage.partnerOrigin);
  const src = `${stage.service.origin}/experience/elm-residents`;
  const nonce = await page.evaluate(
    (url) => (window as unknown as Hostile).partner.open(url, 'auto'),
    src,
  );
  return { page, nonce };
}

/** Sends a port, and over it `init` with a valid token. */
async function offer(page: Page, nonce: string, token: string): Promise<void> {
  await page.evaluate(
    ([answer, good, signature]) => {
      const hostile = window as unknown as Hostile;
      hostile.answers ??= [];
      hostile.ports ??= [];
      const { port1, port2 } = new MessageChannel();
      const index = hostile.ports.push(port1) - 1;
      port1.onmessage = ({ data }) => hostile.answers.push({ index, type: data.type });
      hostile.partner.frame.contentWindow?.postMessage(
        { svc: 1, type: 'port', nonce: answer },
        '*',
        [port2],
      );
      port1.postMessage({
        svc: 1,
        type: 'init',
        token: good,
        pms: 'elm-residents',
        externalId: 't-100',
        signature,
        productVariant: 'rent',
        theme: 'auto',
        locale: null,
      });
    },
    [nonce, token, validSignature] as const,
  );
}

const answersOf = (page: Page) =>
  page.evaluate(() => (window as unknown as Hostile).answers as { index: number; type: string }[]);

test('the hello message contains only the nonce and is sent once', async () => {
  const { page, nonce } = await openFrame();
  const hellos = await page.evaluate(() => (window as unknown as Hostile).partner.hellos);
  expect(hellos).toEqual([{ svc: 1, type: 'hello', nonce }]);
  expect(nonce.length).toBeGreaterThanOrEqual(22);
  await page.context().close();
});

test('a wrong nonce is ignored, and the first of two right ones is accepted', async () => {
  stage.service.tokens.set('first', new FixtureTenant(stateOf()));
  stage.service.tokens.set('other', new FixtureTenant(stateOf()));
  const { page, nonce } = await openFrame();
  await offer(page, `${nonce}x`, 'other');
  await offer(page, nonce, 'first');
  await offer(page, nonce, 'other');
  await page.waitForFunction(() =>
    (window as unknown as Hostile).answers.some((it) => (it as { type: string }).type === 'ready'),
  );
  expect(new Set((await answersOf(page)).map(({ index }) => index))).toEqual(new Set([1]));
  await page.context().close();
});

test('an origin that is not allowed gets no response', async () => {
  stage.service.allowedOrigins = 'https://portal.example http://127.0.0.1:1';
  stage.service.tokens.set('stolen', new FixtureTenant(stateOf()));
  const calls = stage.service.calls.length;
  const { page, nonce } = await openFrame();
  await offer(page, nonce, 'stolen');
  await frameAnswersPing(page);
  expect(await answersOf(page)).toEqual([]);
  expect(stage.service.calls.length).toBe(calls);
  await page.context().close();
});

test('an allowed origin is served, and an empty list allows none', async () => {
  stage.service.allowedOrigins = `https://portal.example ${stage.partnerOrigin}`;
  stage.service.tokens.set('mine', new FixtureTenant(stateOf()));
  const allowed = await openFrame();
  await offer(allowed.page, allowed.nonce, 'mine');
  await allowed.page.waitForFunction(() => (window as unknown as Hostile).answers.length > 0);
  await allowed.page.context().close();

  stage.service.allowedOrigins = '';
  stage.service.tokens.set('nobody', new FixtureTenant(stateOf()));
  const refused = await openFrame();
  await offer(refused.page, refused.nonce, 'nobody');
  await frameAnswersPing(refused.page);
  expect(await answersOf(refused.page)).toEqual([]);
  await refused.page.context().close();
});

test('a port from a window other than the parent is ignored', async () => {
  stage.service.tokens.set('sibling', new FixtureTenant(stateOf()));
  const { page, nonce } = await openFrame();
  await page.evaluate(() => {
    (window as unknown as Hostile).answers = [];
    document.body.append(document.createElement('iframe'));
  });
  const sibling = page.frames().at(-1);
  await sibling?.evaluate((answer) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => (window.top as unknown as Hostile).answers.push('heard');
    window.top?.frames[0]?.postMessage({ svc: 1, type: 'port', nonce: answer }, '*', [port2]);
    port1.postMessage({ svc: 1, type: 'token', token: 'sibling' });
  }, nonce);
  await offer(page, nonce, 'sibling');
  await page.waitForFunction(() => (window as unknown as Hostile).answers.length > 0);
  expect(await answersOf(page)).not.toContain('heard');
  await page.context().close();
});

test('outside a frame, the page says where to open it', async () => {
  const page = await stage.newPage();
  await page.goto(`${stage.service.origin}/experience/elm-residents`);
  const title = page.getByRole('heading', { level: 1 });
  await title.waitFor();
  expect(await title.innerText()).toBe('Open this from your portal');
  await page.context().close();
});

/** Messages arrive in order: once the frame has received the ping, it has received all earlier ones. */
async function frameAnswersPing(page: Page): Promise<void> {
  const frame = page.frames()[1];
  if (frame === undefined) throw new Error('the frame is not there');
  const seen = frame.evaluate(
    () =>
      new Promise<void>((resolve) =>
        addEventListener('message', (event) => {
          if (event.data === 'ping') resolve();
        }),
      ),
  );
  await frame.evaluate(() => undefined);
  await page.evaluate(() =>
    (window as unknown as Hostile).partner.frame.contentWindow?.postMessage('ping', '*'),
  );
  await seen;
}

import { expect, test } from 'vitest';
import { now } from './fixture/now.ts';
import { stageForFile } from './fixture/stage-for-file.ts';

const stage = stageForFile();
const calls = () => stage.service.calls.map(({ call }) => call);

test('a link is used only on click, and its secret leaves the address bar immediately', async () => {
  const page = await stage.open({ path: '#good-link', role: null });
  const signIn = page.getByRole('button', { name: 'Sign in' });
  await signIn.waitFor();
  expect(new URL(page.url()).hash).toBe('');
  expect(calls()).toEqual([]);
  await signIn.click();
  await page.getByRole('heading', { name: 'Home' }).waitFor();
  expect(stage.service.calls[0]?.body).toEqual({ secret: 'good-link' });
  expect(await page.evaluate(() => document.cookie)).toBe('');
  await page.goBack();
  expect(page.url()).not.toContain('good-link');
  await page.context().close();
});

test('a used link explains how to get a new one', async () => {
  const page = await stage.open({ path: '#used-link', role: null });
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { name: 'This link no longer works' }).waitFor();
  expect(await page.getByText('svc-admin operator link').isVisible()).toBe(true);
  await page.context().close();
});

test('without a session every page explains how to sign in', async () => {
  const page = await stage.open({ path: '/tenants/maple/t-100', role: null });
  await page.getByRole('heading', { name: 'Sign in to the operator’s console' }).waitFor();
  expect(new Set(calls())).toEqual(new Set(['GET /session', 'GET /sign_in']));
  await page.context().close();
});

test('signing out ends the session on the service', async () => {
  const page = await stage.open();
  await page.getByRole('button', { name: 'You' }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.getByRole('heading', { name: 'Your session has ended' }).waitFor();
  expect(stage.service.state.sessions.size).toBe(0);
  await page.context().close();
});

test('an unattended page marks its reads, so that they do not keep the session open', async () => {
  const page = await stage.open();
  await page.getByRole('heading', { name: 'Home' }).waitFor();
  await page.clock.setFixedTime(now + 61_000);
  const next = page.waitForRequest(/\/operator\/v1\/session/);
  await page.evaluate(() =>
    document.dispatchEvent(new Event('visibilitychange', { bubbles: true })),
  );
  expect((await (await next).allHeaders())['svc-background']).toBe('1');
  await page.context().close();
});

test('sandbox and production differ in words, in the bar and in the tab', async () => {
  const looks = [];
  for (const environment of ['sandbox', 'production'] as const) {
    stage.service.state.environment = environment;
    const page = await stage.open();
    await page.getByRole('heading', { name: 'Home' }).waitFor();
    looks.push(
      await page.evaluate(() => ({
        words: document.querySelector('.environment')?.textContent,
        bar: getComputedStyle(document.querySelector('.top') ?? document.body).background,
        icon: document.querySelector<HTMLLinkElement>('link[rel=icon]')?.href,
      })),
    );
    await page.context().close();
  }
  const [sandbox, production] = looks;
  expect(sandbox?.words).toBe('SandboxNo real money');
  expect(production?.words).toBe('ProductionReal money');
  expect(sandbox?.bar).not.toBe(production?.bar);
  expect(sandbox?.icon).not.toBe(production?.icon);
});

test('pages can be reached with the keyboard', async () => {
  const page = await stage.open();
  await page.getByRole('heading', { name: 'Home' }).waitFor();
  await page.keyboard.press('Tab');
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Skip to content');
  await page.keyboard.press('?');
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
  await page.keyboard.press('Escape');
  await page.keyboard.press('Control+k');
  await page.locator('.quick input:focus').waitFor();
  await page.context().close();
});

test('an unknown address says so', async () => {
  const page = await stage.open({ path: '/nowhere' });
  await page.getByRole('heading', { name: 'Page not found' }).waitFor();
  await page.context().close();
});

import { expect, test } from 'vitest';
import { now } from './fixture/samples.ts';
import { stageForFile } from './fixture/stage-for-file.ts';

const stage = stageForFile();

const calls = () => stage.service.calls.map(({ call }) => call);

test('a link is used only on click, and its secret leaves the address bar immediately', async () => {
  const page = await stage.open({ path: '#good-link', signedIn: false });
  const open = page.getByRole('button', { name: 'Open the console' });
  await open.waitFor();
  // The link does not tell what it reaches before it is used.
  await page.getByRole('heading', { name: 'Open your console' }).waitFor();
  await page.getByText('with an admin link also your integration, tenants').waitFor();
  expect(new URL(page.url()).hash).toBe('');
  expect(calls()).toEqual([]);
  await open.click();
  await page.getByRole('heading', { name: 'Home' }).waitFor();
  expect(calls()[0]).toBe('POST /portal/session');
  expect(stage.service.calls[0]?.origin).toBe(stage.service.origin);
  expect(stage.service.calls[0]?.body).toEqual({ secret: 'good-link' });
  expect(await page.evaluate(() => document.cookie)).toBe('');
  await page.goBack();
  expect(page.url()).not.toContain('good-link');
  await page.context().close();
});

test('a link to an API key shows it once, after a click, and forgets it', async () => {
  const page = await stage.open({ path: '#svc_kl_fresh', signedIn: false });
  const show = page.getByRole('button', { name: 'Show the key' });
  await show.waitFor();
  expect(new URL(page.url()).hash).toBe('');
  expect(calls()).toEqual([]);
  await show.click();
  await page.getByText('SVC_API_KEY=svc_sandbox_k3y').waitFor();
  expect(stage.service.calls[0]?.body).toEqual({ secret: 'svc_kl_fresh' });
  await page.getByRole('button', { name: 'Copy .env' }).click();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  expect(copied).toMatch(/^SVC_API_KEY=svc_sandbox_\w+\nSVC_PMS=maple$/);
  await page.getByRole('button', { name: 'I have stored the key' }).click();
  await page.getByRole('link', { name: 'Go to the quick start' }).waitFor();
  expect(await page.content()).not.toContain('k3yShownOnce');
  await page.context().close();
});

test('an opened link to an API key says that somebody else may have the key', async () => {
  const page = await stage.open({ path: '#svc_kl_opened', signedIn: false });
  await page.getByRole('button', { name: 'Show the key' }).click();
  await page.getByText('opened on 2026-03-01').waitFor();
  await page.getByText('someone else may have it').waitFor();
  await page.context().close();
});

test('a used link explains how to get a new one', async () => {
  const page = await stage.open({ path: '#used-link', signedIn: false });
  await page.getByRole('button', { name: 'Open the console' }).click();
  await page.getByRole('heading', { name: 'This link no longer works' }).waitFor();
  expect(await page.getByText('GET /v1/partner/webhook_portal_url').isVisible()).toBe(true);
  await page.context().close();
});

test('a click can be repeated after its response was lost', async () => {
  stage.service.faults.set('POST /portal/session', 'drop');
  const page = await stage.open({ path: '#good-link', signedIn: false });
  const open = page.getByRole('button', { name: 'Open the console' });
  await open.click();
  await page.getByRole('alert').getByText('could not be reached').waitFor();
  stage.service.faults.clear();
  await open.click();
  await page.getByRole('heading', { name: 'Home' }).waitFor();
  const tries = stage.service.calls.filter(({ call }) => call === 'POST /portal/session');
  expect(tries.length).toBeGreaterThan(1);
  expect(new Set(tries.map(({ key }) => key)).size).toBe(1);
  await page.context().close();
});

test('a new link pasted into an open portal tab is used', async () => {
  const page = await stage.open({ path: '/messages' });
  await page.getByRole('heading', { name: 'Messages' }).waitFor();
  await page.evaluate(() => {
    location.hash = '#look-link';
  });
  await page.getByRole('button', { name: 'Open the console' }).click();
  await page.getByRole('button', { name: 'Read only' }).waitFor();
  expect(page.url()).not.toContain('look-link');
  await page.context().close();
});

test('without a session every page explains how to sign in', async () => {
  const page = await stage.open({ path: '/messages/evt_01sample0002', signedIn: false });
  await page.getByRole('heading', { name: 'You need a link to sign in' }).waitFor();
  expect(calls().filter((call) => call !== 'GET /portal/session')).toEqual([]);
  await page.context().close();
});

test('a session that ends while the console is open shows the access page', async () => {
  const page = await stage.open({ path: '/endpoints' });
  await page.getByText('Resident ledger').waitFor();
  stage.service.state.sessions.clear();
  await page.getByRole('link', { name: 'Messages' }).click();
  await page.getByRole('heading', { name: 'Your session has ended' }).waitFor();
  expect(await page.getByText('Resident ledger').count()).toBe(0);
  await page.context().close();
});

test('an unattended page marks its reads, so that they do not keep the session open', async () => {
  const page = await stage.open({ path: '/endpoints' });
  await page.getByText('Resident ledger').waitFor();
  const mark = async () => {
    const next = page.waitForRequest(/\/v1\/webhooks\/endpoints/);
    await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
    return (await (await next).allHeaders())['svc-background'];
  };
  await page.clock.setFixedTime(now + 60_000);
  expect(await mark()).toBe('1');
  await page.keyboard.press('Shift');
  expect(await mark()).toBeUndefined();
  await page.context().close();
});

test('signing out ends the session on the service', async () => {
  const page = await stage.open({ path: '/endpoints' });
  await page.getByRole('button', { name: 'Session' }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.getByRole('heading', { name: 'Your session has ended' }).waitFor();
  expect(stage.service.state.sessions.size).toBe(0);
  await page.reload();
  await page.getByRole('heading', { name: 'You need a link to sign in' }).waitFor();
  await page.context().close();
});

test('one session can be signed out, and then all of them', async () => {
  stage.service.state.sessions.set('other', { read_only: true, person: 'Grace Hall' });
  const page = await stage.open({ path: '/endpoints' });
  await page.getByRole('button', { name: 'Session' }).click();
  await page.getByRole('menuitem', { name: 'Open sessions' }).click();
  await page.getByRole('button', { name: 'Sign out Grace Hall' }).click();
  await page.getByText('Grace Hall is signed out.').waitFor();
  expect([...stage.service.state.sessions.keys()]).toEqual(['writer']);
  await page.getByRole('button', { name: 'Sign everyone out' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Sign everyone out' }).click();
  await page.getByRole('heading', { name: 'Your session has ended' }).waitFor();
  expect(stage.service.state.sessions.size).toBe(0);
  await page.context().close();
});

test('a read-only session offers no writes and no secrets', async () => {
  const page = await stage.open({ path: '/endpoints', readOnly: true });
  await page.getByText('Resident ledger').waitFor();
  expect(await page.getByRole('link', { name: 'Add endpoint' }).count()).toBe(0);
  await page.getByRole('link', { name: /maple.example\/webhooks/ }).click();
  await page.getByText('Read-only links can’t view the secret.').waitFor();
  const buttons = /Reveal|Copy the secret|Rotate|More actions|Send (a|now)|Edit/;
  expect(await page.locator('main').getByRole('button', { name: buttons }).count()).toBe(0);
  expect(await page.getByRole('link', { name: buttons }).count()).toBe(0);
  await page.goto(`${stage.service.origin}/portal/messages/evt_01sample0002`);
  await page.getByText('database is locked').waitFor();
  expect(await page.getByRole('button', { name: /Send (now|again)/ }).count()).toBe(0);
  await page.goto(`${stage.service.origin}/portal/testing`);
  await page.getByText('not send anything').waitFor();
  expect(calls().filter((call) => !call.startsWith('GET'))).toEqual([]);
  await page.context().close();
});

test('the selected theme is saved and applied before the first paint', async () => {
  const page = await stage.open({ path: '/endpoints', browser: { colorScheme: 'light' } });
  const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const light = await ground();
  await page.getByRole('button', { name: 'Theme: System' }).click();
  await page.getByRole('menuitemradio', { name: 'Dark' }).click();
  await expect.poll(ground).not.toBe(light);
  await page.reload({ waitUntil: 'commit' });
  await page.waitForFunction(() => document.documentElement.dataset.theme === 'dark');
  await page.getByRole('button', { name: 'Theme: Dark' }).click();
  await page.getByRole('menuitemradio', { name: 'System' }).click();
  await expect.poll(ground).toBe(light);
  await page.context().close();
});

test('an address that was shared opens once its reader has signed in in another tab', async () => {
  const page = await stage.open({ path: '/time-machine?tenant=t-100', signedIn: false });
  await page.getByText('come back to this tab').waitFor();
  const other = await page.context().newPage();
  await other.goto(`${new URL(page.url()).origin}/portal#good-link`);
  await other.getByRole('button', { name: 'Open the console' }).click();
  await other.getByRole('heading', { name: 'Home' }).waitFor();
  await page.evaluate(() => {
    document.dispatchEvent(new Event('visibilitychange', { bubbles: true }));
  });
  await page.getByRole('heading', { name: 'Webhooks of t-100' }).waitFor();
  await page.context().close();
});

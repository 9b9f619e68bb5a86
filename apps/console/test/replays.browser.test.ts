import { expect, test } from 'vitest';
import { ago } from './fixture/samples.ts';
import { stageForFile } from './fixture/stage-for-file.ts';

const stage = stageForFile();

const writes = () => stage.service.writes();
const started = () =>
  writes().filter(
    ({ call, body }) => call.endsWith('/replays') && !(body as { dry_run?: true }).dry_run,
  );

test('failed messages are counted, replayed, and tracked until completion', async () => {
  const page = await stage.open({ path: '/endpoints/ep_01sample2' });
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Replay messages' }).click();
  await page.getByRole('button', { name: 'Send 1 message again' }).waitFor();
  await page.getByLabel('7 days').check();
  await page.getByRole('button', { name: 'Send 2 messages again' }).waitFor();
  expect(started()).toEqual([]);
  await page.getByLabel('Maximum per second').fill('25');
  await page.getByRole('button', { name: 'Send 2 messages again' }).click();
  await page.getByRole('heading', { name: 'Replay' }).waitFor();
  expect(started().map(({ body }) => body)).toEqual([
    {
      endpoint_id: 'ep_01sample2',
      since: expect.stringMatching(/^2026-02-23T15:04/),
      filter: { states: ['failed'] },
      rate_per_second: 25,
    },
  ]);
  await page.getByText('2 delivered, of 2 messages.').waitFor();
  await page.getByText('Completed', { exact: true }).waitFor();
  expect(await page.getByRole('progressbar').getAttribute('aria-valuenow')).toBe('2');
  expect(await page.getByRole('button', { name: 'Pause' }).count()).toBe(0);
  await page.context().close();
});

test('on a translated page, the counts of a replay follow the choice and the progress', async () => {
  const path = '/replays/new?endpoint_id=ep_01sample2';
  const page = await stage.open({ path, isTranslated: true });
  await page.locator('button font', { hasText: 'Send 1 message again' }).first().waitFor();
  await page.getByLabel('7 days').check();
  await page.getByRole('button', { name: 'Send 2 messages again', exact: true }).waitFor();
  await page.getByLabel('Selected events').check();
  const chosen = page.getByRole('status').filter({ hasText: 'chosen' });
  for (const [index, type] of ['installment.paid', 'installment.failed'].entries()) {
    await page.getByLabel(type).check();
    await expect
      .poll(() => chosen.innerText())
      .toMatch(new RegExp(`^${index + 1} of \\d+ chosen$`));
  }
  await page.getByLabel('All events').check();
  await page.getByRole('button', { name: 'Send 2 messages again', exact: true }).click();
  await page.getByText('2 delivered, of 2 messages.').waitFor();
  await page.getByText('Completed').waitFor();
  await page.context().close();
});

test('a custom range and a filter are sent to the service as selected', async () => {
  const page = await stage.open({ path: '/replays/new?endpoint_id=ep_01sample1' });
  await page.getByLabel('Custom range').check();
  await page.getByText('Enter a start time.').waitFor();
  await page.getByLabel('Since').fill('2026-02-28T09:00');
  await page.getByLabel('Until').fill('2026-03-02T09:00');
  await page.getByLabel('Failed').uncheck();
  await page.getByText('at least one kind').waitFor();
  await page.getByLabel('Already delivered').check();
  await page.getByLabel('Selected events').check();
  await page.getByLabel('Search event types').fill('installment');
  await page.getByLabel('installment.paid').check();
  await page.getByRole('button', { name: /Send \d+ messages? again/ }).click();
  await page.getByText('Selection').waitFor();
  expect(started().map(({ body }) => body)).toEqual([
    {
      endpoint_id: 'ep_01sample1',
      since: '2026-02-28T15:00:00.000Z',
      until: '2026-03-02T15:00:00.000Z',
      filter: { states: ['delivered'], event_types: ['installment.paid'] },
    },
  ]);
  await page.context().close();
});

test('a replay is paused, resumed, and canceled after confirmation', async () => {
  const page = await stage.open({ path: '/replays' });
  await page.getByText('9,210 of 18,400').click();
  await page.getByRole('button', { name: 'Resume' }).click();
  await page.getByRole('button', { name: 'Pause' }).click();
  await page.getByRole('button', { name: 'Resume' }).waitFor();
  await page.getByRole('button', { name: 'Cancel replay' }).click();
  await page.getByRole('button', { name: 'Keep running' }).click();
  await page.getByRole('alertdialog').waitFor({ state: 'detached' });
  expect(writes().map(({ call }) => call.split('/').at(-1))).toEqual(['resume', 'pause']);
  await page.getByRole('button', { name: 'Cancel replay' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel replay' }).click();
  await page.getByText('Canceled', { exact: true }).waitFor();
  await page.getByText('were not sent again').waitFor();
  await page.context().close();
});

test('the cancel dialog stays open when a slow resume completes', async () => {
  const page = await stage.open({ path: '/replays/rpl_01sample3' });
  let answer = (): void => undefined;
  const late = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await page.route('**/resume', async (route) => {
    await late;
    await route.continue();
  });
  await page.getByRole('button', { name: 'Resume' }).click();
  await page.getByRole('button', { name: 'Cancel replay' }).click();
  const dialog = page.getByRole('alertdialog');
  await dialog.waitFor();
  answer();
  // Not the dialog's "Keep running", which is there before the resume completes.
  await page.getByText('Running', { exact: true }).waitFor();
  await dialog.getByRole('button', { name: 'Cancel replay' }).click();
  await page.getByText('were not sent again').waitFor();
  await page.context().close();
});

test('a read-only session can watch a replay but not control it', async () => {
  const page = await stage.open({ path: '/replays/rpl_01sample3', readOnly: true });
  await page.getByText('9,120 delivered').waitFor();
  const buttons = page.locator('main').getByRole('button');
  expect(await buttons.count()).toBe(0);
  await page.goto(`${stage.service.origin}/portal/replays`);
  await page.getByText('9,210 of 18,400').waitFor();
  expect(await page.getByRole('link', { name: 'Replay messages' }).count()).toBe(0);
  await page.goto(`${stage.service.origin}/portal/replays/new`);
  await page.getByText('not send anything').waitFor();
  expect(writes()).toEqual([]);
  await page.context().close();
});

test('a failing endpoint shows since when it fails and when it will be disabled', async () => {
  const [first] = stage.service.state.partner.endpoints;
  Object.assign(first ?? {}, { failing_since: ago(86_400), disables_at: ago(-4 * 86_400) });
  const page = await stage.open({ path: '/endpoints' });
  await page.getByText('92.8%').waitFor();
  await page.getByText('500, 3 h ago').first().waitFor();
  await page.getByRole('link', { name: /maple.example\/webhooks/ }).click();
  await page.getByText('Every attempt has failed since the first failure, 24 h ago').waitFor();
  await page.getByText('is disabled in 4 days').waitFor();
  await page.context().close();
});

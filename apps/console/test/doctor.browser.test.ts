import { expect, test } from 'vitest';
import { stageForFile } from './fixture/stage-for-file.ts';

const stage = stageForFile();

test('the checks run on what was filled in; what failed comes first and says what to do', async () => {
  const page = await stage.open({ path: '/doctor' });
  await page.getByLabel('Address of your page').fill(' https://portal.example.com/rent ');
  await page.getByLabel('Tenant').fill('t-100');
  await page.getByLabel('Output of svc.diagnose()').fill('window.svc');
  await page.getByRole('button', { name: 'Run the checks' }).click();
  await page.getByText('This is not JSON').waitFor();
  const runs = () => stage.service.calls.filter(({ call }) => call === 'POST /partner/doctor');
  expect(runs()).toEqual([]);
  await page
    .getByLabel('Output of svc.diagnose()')
    .fill('{"container":{"width":420,"height":300},"a_newer_field":1}');
  await page.getByRole('button', { name: 'Run the checks' }).click();
  await page.getByText('2 checks failed').waitFor();
  expect(runs()).toHaveLength(1);
  const webhooks = page.getByRole('region', { name: 'Webhooks' }).getByRole('listitem');
  expect(await webhooks.first().innerText()).toContain('To do: Verify the signature');
  expect(await page.getByText('The widget has 420 × 300 px.').count()).toBe(1);
  const toDo = webhooks.first().getByRole('link', { name: 'Docs' });
  expect(await toDo.getAttribute('href')).toBe('/docs/errors#webhook_forged');
  await page.context().close();
});

test('the checklist shows what the service has seen, and keeps what is marked by hand', async () => {
  const page = await stage.open({ path: '/doctor' });
  const list = page.getByRole('region', { name: 'Go-live checklist' });
  await list.getByText('3 of 10 done').waitFor();
  const links = await list
    .getByRole('link', { name: /^Open/ })
    .evaluateAll((open) => open.map((link) => [link.textContent, link.getAttribute('href')]));
  expect(links).toEqual(expect.arrayContaining([['Open API keys', '/portal/api-keys']]));
  // Only what the service cannot see can be marked.
  expect(await list.getByRole('checkbox').count()).toBe(4);
  await list.getByLabel('Decline rehearsed').click();
  await list.getByText('4 of 10 done').waitFor();
  await page.reload();
  await list.getByText('4 of 10 done').waitFor();
  expect(await list.getByLabel('Decline rehearsed').isChecked()).toBe(true);
  await list.getByRole('link', { name: 'Open API keys' }).click();
  await page.getByRole('heading', { name: 'API keys', level: 1 }).waitFor();
  await page.context().close();
});

test('a read-only session sees the checklist and can run nothing', async () => {
  const page = await stage.open({ path: '/doctor', readOnly: true });
  await page.getByText('needs a link to this console that is not read-only').waitFor();
  expect(await page.getByRole('button', { name: 'Run the checks' }).isDisabled()).toBe(true);
  await page.getByText('3 of 10 done').waitFor();
  expect(await page.getByRole('checkbox').first().isDisabled()).toBe(true);
  await page.context().close();
});

import { expect, test } from 'vitest';
import { stageForFile } from './fixture/stage-for-file.ts';

const stage = stageForFile();

const writes = () => stage.service.writes();

test('a preset is saved, reloaded, applied, and removed', async () => {
  const page = await stage.open({ path: '/testing?event_type=application.declined' });
  await page.getByLabel('data').fill('{ "reapply_after": "2026-05-01" }');
  await page.getByRole('button', { name: 'Save as preset' }).click();
  await page.getByLabel('Name').fill('Declined till May');
  await page.getByLabel('Name').press('Enter');
  await page.getByText('Saved Declined till May').waitFor();
  await page.goto(`${stage.service.origin}/portal/testing?event_type=plan.created`);
  await page.getByRole('button', { name: 'Declined till May', exact: true }).click();
  await page.waitForURL(/event_type=application.declined/);
  await page.getByRole('button', { name: 'Send test' }).click();
  await page.getByText('Delivered · 200').waitFor();
  expect(writes().map(({ body }) => body)).toEqual([
    {
      name: 'Declined till May',
      event_type: 'application.declined',
      body: '{ "reapply_after": "2026-05-01" }',
    },
    { event_type: 'application.declined', data: { reapply_after: '2026-05-01' } },
  ]);
  await page.getByRole('button', { name: 'Remove preset Declined till May' }).click();
  await page.getByRole('button', { name: 'Remove the preset' }).click();
  await page.getByRole('button', { name: 'Declined till May' }).waitFor({ state: 'detached' });
  await page.reload();
  await page.getByRole('button', { name: 'Save as preset' }).waitFor();
  expect(await page.getByRole('button', { name: /Declined till May/ }).count()).toBe(0);
  await page.context().close();
});

test('data is sent exactly as typed, in a test and in an event', async () => {
  const typed = '{ "large": 12345678901234567890, "whole": 1.0, "b": 1, "10": 2 }';
  const page = await stage.open({ path: '/testing?event_type=plan.created' });
  const sent = async (button: string) => {
    await page.getByLabel('data').fill(typed);
    const posted = page.waitForRequest((request) => request.method() === 'POST');
    await page.getByRole('button', { name: button }).click();
    return (await posted).postData();
  };
  const body = `{"event_type":"plan.created","data":${typed}}`;
  expect(await sent('Send test')).toBe(body);
  await page.goto(`${stage.service.origin}/portal/testing?event_type=plan.created&way=publish`);
  expect(await sent('Publish event')).toBe(body);
  await page.context().close();
});

test('an event type can be copied as JSON, TypeScript, and JSON Schema', async () => {
  const page = await stage.open({ path: '/event-catalog/plan.created' });
  const copied = () => page.evaluate(() => navigator.clipboard.readText());
  await page.getByRole('tab', { name: 'Example' }).click();
  await page.getByRole('button', { name: 'Copy example data' }).click();
  await expect.poll(async () => Object.keys(JSON.parse(await copied()))).toContain('plan_id');
  await page.getByRole('tab', { name: 'TypeScript' }).click();
  await page.getByRole('button', { name: 'Copy TypeScript type' }).click();
  await expect.poll(copied).toContain('export interface PlanCreatedData {');
  await page.getByRole('tab', { name: 'JSON Schema' }).click();
  await page.getByRole('button', { name: 'Copy JSON Schema of data' }).click();
  await expect.poll(async () => copied().then((text) => text.includes('"$schema"'))).toBe(true);
  await page.context().close();
});

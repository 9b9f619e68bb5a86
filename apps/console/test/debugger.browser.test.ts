import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { now } from './fixture/samples.ts';
import { stageForFile } from './fixture/stage-for-file.ts';

const stage = stageForFile();

const id = 'evt_01sample0002';
const timestamp = Math.floor(now / 1000);

/** The sample message as its endpoint received it. */
function signedRequest(secret: string) {
  const body = stage.service.state.partner.messages.find((each) => each.id === id)?.body ?? '';
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  const digest = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
  const headers = `webhook-id: ${id}\nwebhook-timestamp: ${timestamp}\nwebhook-signature: v1,${digest}`;
  return { headers, body };
}

test('a pasted request is checked while typing and never leaves the browser', async () => {
  const page = await stage.open({ path: '/debugger' });
  const sent: string[] = [];
  page.on('request', (request) => sent.push(`${request.url()} ${request.postData() ?? ''}`));
  const secret = 'whsec_C2cefaBkR808+wk2PtchSkYnPjlVv3xcznyvRpA78AY=';
  const { headers, body } = signedRequest(secret);
  await page.getByLabel('Headers').fill(headers);
  await page.getByText('Paste the signing secret').waitFor();
  await page.getByLabel('Signing secret').fill(secret);
  await page.getByLabel('Body').fill(body);
  await page.getByText('This request is genuine').waitFor();
  await page.getByLabel('Body').fill(JSON.stringify(JSON.parse(body), null, 2));
  await page.getByText('Re-serialized').waitFor();
  await page.getByText('What your server saw').click();
  const undecoded = createHmac('sha256', secret).update(`${id}.${timestamp}.${body}`).digest('hex');
  await page.getByLabel('Body').fill(body);
  await page.getByLabel('Signature your code computed').fill(undecoded);
  await page.getByText('Signed with the text of the secret').waitFor();
  expect(sent.filter((request) => /plan_id|whsec|C2cefa|v1,/.test(request))).toEqual([]);
  expect(await page.evaluate(() => localStorage.length + sessionStorage.length)).toBe(0);
  await page.context().close();
});

test('the sent message and other endpoints’ secrets are loaded only on request', async () => {
  const page = await stage.open({ path: '/debugger' });
  const { headers, body } = signedRequest(stage.service.state.secrets.current);
  await page.getByLabel('Headers').fill(headers);
  await page.getByLabel('Body').fill(body.replace('plan', 'scheme'));
  await page.getByLabel('Signing secret').fill('whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw');
  await page.getByText('No match:').waitFor();
  const asked = () => stage.service.calls.filter(({ call }) => /secret|evt_/.test(call)).length;
  expect(asked()).toBe(0);
  await page.getByRole('button', { name: 'Compare with the sent message' }).click();
  await page.getByText('does not match the message that was sent').waitFor();
  expect(asked()).toBe(1);
  await page.getByRole('button', { name: /Try my 3 endpoints/ }).click();
  await page
    .getByText('It was signed with the secret of another endpoint, https://maple.example')
    .waitFor();
  await page.context().close();
});

test('a rejected attempt opens in the debugger as it was sent', async () => {
  const { partner } = stage.service.state;
  const attempt = partner.attempts.find(({ message_id }) => message_id === id);
  Object.assign(attempt ?? {}, { status: 401, succeeded: false, error_class: 'status' });
  const page = await stage.open({ path: `/messages/${id}?attempt=${attempt?.id}` });
  await page.getByRole('link', { name: 'Check its signature in the debugger' }).click();
  await page.getByText('Paste the signing secret').waitFor();
  expect(await page.getByLabel('Body').inputValue()).toBe(
    partner.messages.find((each) => each.id === id)?.body,
  );
  expect(await page.getByLabel('Headers').inputValue()).toContain(id);
  await page.context().close();
});

test('a read-only session cannot try secrets', async () => {
  const page = await stage.open({ path: '/debugger', readOnly: true });
  await page.getByRole('button', { name: 'Compare with the sent message' }).waitFor();
  expect(await page.getByRole('button', { name: /secret/ }).count()).toBe(0);
  await page.context().close();
});

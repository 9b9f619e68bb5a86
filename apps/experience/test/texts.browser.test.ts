import { afterAll, beforeAll, expect, test } from 'vitest';
import { violationsOf } from '../../../scripts/test/axe.ts';
import { chooseLanguage, press, waitForTitle } from './fixture/actions.ts';
import { dropped } from './fixture/service.ts';
import { type Stage, startStage } from './fixture/stage.ts';
import { halfway, withPlan } from './manage-scenes.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await startStage();
});
afterAll(() => stage.close());

const offered = () => withPlan(halfway, { texts: true });
const requested = () =>
  stage.service.calls.flatMap(({ call, body }) => (call === 'POST /texts/code' ? [body] : []));

test('a tenant turns reminders by text on with a code, and off again', async () => {
  const it = await stage.open({ state: offered() });
  await press(it, /^Reminders by text/);
  await waitForTitle(it, 'Get reminders by text');
  const number = it.frame.getByLabel('Mobile number');
  expect(await number.inputValue()).toBe('(212) 555-0123');
  await number.fill('555');
  await press(it, 'Text me a code');
  await it.frame.getByText('Enter a US mobile number with 10 digits.').waitFor();
  await it.frame.getByText('Check the box to get texts.').waitFor();
  expect(requested()).toEqual([]);
  await number.fill('212 555 0000');
  await it.frame.getByLabel(/^I agree that/).check();
  await press(it, 'Text me a code');
  await it.frame.getByText('We can’t text this number. Use another one.').waitFor();
  await number.fill('212 555 0123');
  await press(it, 'Text me a code');
  await waitForTitle(it, 'Enter your code');
  await it.frame.getByText('ending in 0123').waitFor();
  expect(await violationsOf(it.frame)).toEqual([]);
  const code = it.frame.getByLabel('Code', { exact: true });
  await code.fill('12');
  await press(it, 'Turn on reminders');
  await it.frame.getByText('Enter the 6 digits from the text.').waitFor();
  await code.fill('654321');
  await press(it, 'Turn on reminders');
  await it.frame.getByText('That’s not the code.').waitFor();
  await code.fill('123 456');
  await press(it, 'Turn on reminders');
  await it.frame.getByRole('alert').getByText('Reminders by text are on').waitFor();
  expect(requested().at(-1)).toEqual({
    number: '212 555 0123',
    accepted_consent_sha256: 'sha256-of-en',
    locale: 'en',
  });
  await press(it, /^Reminders by text/);
  await waitForTitle(it, 'Reminders by text are on');
  await press(it, 'Turn texts off');
  await it.frame.getByRole('alert').getByText('Reminders by text are off').waitFor();
  await press(it, /^Reminders by text/);
  await waitForTitle(it, 'Get reminders by text');
  await it.close();
});

test('in Spanish the tenant agrees to the Spanish words', async () => {
  const it = await stage.open({ state: offered() });
  await press(it, /^Reminders by text/);
  await it.frame.getByLabel(/^I agree that/).check();
  await chooseLanguage(it, 'Español');
  await waitForTitle(it, 'Recibe recordatorios por mensaje de texto');
  const agreed = it.frame.getByLabel(/^Acepto que/);
  expect(await agreed.isChecked()).toBe(false);
  await agreed.check();
  expect(await violationsOf(it.frame)).toEqual([]);
  await press(it, 'Enviarme un código');
  await waitForTitle(it, 'Escribe tu código');
  expect(requested().at(-1)).toMatchObject({
    accepted_consent_sha256: 'sha256-of-es',
    locale: 'es',
  });
  await it.frame.getByLabel('Código').fill('123456');
  await press(it, 'Activar los recordatorios');
  await it.frame.getByRole('alert').getByText('están activados').waitFor();
  await it.close();
});

test('without a connection the tenant stays on the plan and is told', async () => {
  const it = await stage.open({ state: offered() });
  stage.service.faults.set('GET /texts', [...dropped]);
  await press(it, /^Reminders by text/);
  await it.frame.getByRole('alert').getByText('We couldn’t reach the service').waitFor();
  stage.service.faults.delete('GET /texts');
  await press(it, /^Reminders by text/);
  await waitForTitle(it, 'Get reminders by text');
  await it.close();
});

test('where no texts are sent, the plan does not mention them', async () => {
  const before = stage.service.calls.length;
  const it = await stage.open({ state: withPlan(halfway) });
  await press(it, /^Autopay/);
  await press(it, 'Back');
  expect(await it.frame.getByText(/\btext/i).count()).toBe(0);
  expect(stage.service.calls.slice(before).map(({ call }) => call)).not.toContain('GET /texts');
  await it.close();
});

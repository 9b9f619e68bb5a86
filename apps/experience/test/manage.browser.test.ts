import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  acceptAll,
  chooseLanguage,
  press,
  toConsent,
  typeAccount,
  waitForTitle,
} from './fixture/actions.ts';
import { event, managementOf } from './fixture/management.ts';
import { bankAccount } from './fixture/methods.ts';
import { pastPlans } from './fixture/past-plan.ts';
import { readDownload } from './fixture/read-download.ts';
import { answerDropped, dropped } from './fixture/service.ts';
import { type Stage, startStage } from './fixture/stage.ts';
import { approved, declined, stateOf } from './fixture/states.ts';
import { halfway, late, reopened, withPlan } from './manage-scenes.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await startStage();
});
afterAll(() => stage.close());

const keysOf = (path: string) =>
  stage.service.calls.flatMap(({ call, key }) => (call.endsWith(path) ? [key] : []));

test('paying a late payment emits REPAY and PLAN_UPDATED', async () => {
  const it = await stage.open({ state: withPlan(late, { today: '2026-02-12' }) });
  await waitForTitle(it, 'This plan is past due');
  await it.frame.getByText('There wasn’t enough money in the account.').first().waitFor();
  await it.frame.getByText('We’ll try again on Friday, February 13.').waitFor();
  await press(it, 'Pay $380.03 now');
  await waitForTitle(it, 'What do you want to pay now?');
  await it.frame.getByText('$760.06', { exact: true }).waitFor();
  await press(it, 'Pay $380.03 now');
  await waitForTitle(it, 'You paid $380.03');
  const focused = () => it.frame.evaluate(() => document.activeElement?.textContent);
  await expect.poll(focused).toBe('You paid $380.03');
  const caughtUp = 'Thank you. You’re all caught up. Your next payment is Tuesday, February 17.';
  await it.frame.getByText(caughtUp).waitFor();
  await chooseLanguage(it, 'Español');
  await it.frame.getByText('Gracias. Ya estás al día. Tu próximo pago es el martes').waitFor();
  const plan_id = late.id;
  await expect.poll(it.events).toEqual([
    { type: 'REPAY', data: { plan_id, amount_in_cents: 38003 } },
    { type: 'PLAN_UPDATED', data: { plan_id, change: 'recovered' } },
  ]);
  await it.close();
});

test('a returned payment of an earlier plan can be paid from the current plan', async () => {
  const it = await stage.open({ state: reopened });
  await waitForTitle(it, 'You owe $410.03 on your January plan');
  await it.frame.getByText('Your card expires 01/26').waitFor();
  await press(it, 'Pay $410.03 now');
  await it.frame.getByText('You paid $410.03').waitFor();
  await waitForTitle(it, 'Your card expires before your last payment');
  expect(await it.frame.getByText('on your January plan').count()).toBe(0);
  const repaid = { plan_id: 'pln_earlier', amount_in_cents: 41003 };
  await expect.poll(it.events).toEqual([{ type: 'REPAY', data: repaid }]);
  await it.close();
});

test('paying everything early completes the plan', async () => {
  const it = await stage.open({ state: withPlan(halfway) });
  await press(it, /^Pay early/);
  await it.frame.getByRole('checkbox', { name: /Due Tuesday, February 17/ }).uncheck();
  await press(it, 'Pay $0.00 now');
  await it.frame.getByText('Choose at least one payment.').waitFor();
  await it.frame.getByRole('checkbox', { name: /Due Tuesday, February 17/ }).check();
  await it.frame.getByRole('checkbox', { name: /Due Wednesday, February 25/ }).check();
  await press(it, 'Pay $760.06 now');
  await waitForTitle(it, 'Your plan is paid off');
  await it.frame.getByText('You don’t owe anything on this plan').waitFor();
  expect(await it.frame.getByRole('button', { name: /^Pay\b|^Move|^Autopay/ }).count()).toBe(0);
  await it.close();
});

test('a refused payment says why and what to do, and emits no event', async () => {
  const method = { payment_method: bankAccount('0001') };
  const it = await stage.open({ state: withPlan(late, { today: '2026-02-12' }, method) });
  await press(it, 'Pay $380.03 now');
  await waitForTitle(it, 'What do you want to pay now?');
  await press(it, 'Pay $380.03 now');
  const alert = it.frame.getByRole('alert');
  await alert.getByText('Your payment was declined (bank account ending in 0001)').waitFor();
  expect(await alert.innerText()).toContain(
    'Pay with another account or card, or try again later.',
  );
  expect(await it.events()).toEqual([]);
  await it.close();
});

test('after a lost connection, a payment is repeated with the same idempotency key', async () => {
  const it = await stage.open({ state: withPlan(late, { today: '2026-02-12' }) });
  stage.service.faults.set(`POST /plan/${late.id}/pay`, [...answerDropped]);
  await press(it, 'Pay $380.03 now');
  await waitForTitle(it, 'What do you want to pay now?');
  await press(it, 'Pay $380.03 now');
  await it.frame.getByText('We can’t see yet if your payment went through').waitFor();
  stage.service.faults.clear();
  await press(it, 'Pay $380.03 now');
  await it.frame.getByText('You paid $380.03').waitFor();
  expect(new Set(keysOf('/pay').slice(-3)).size).toBe(1);
  await it.close();
});

test('a payment moves to an offered day, with or without a reason, and the schedule follows', async () => {
  const it = await stage.open({ state: withPlan(halfway) });
  await press(it, /^Move a payment/);
  await press(it, 'Move it');
  await it.frame.getByText('Choose a day.').waitFor();
  await it.frame.getByRole('radio', { name: 'Fri, Feb 27' }).check();
  const rail = it.frame.getByRole('list', { name: 'All payments' });
  expect(await rail.innerText()).toMatch(/Wed,.Feb.25.*Fri,.Feb.27.*Nothing left/s);
  await it.frame.getByRole('radio', { name: 'I get paid on another day' }).check();
  await press(it, 'Move it to Friday, February 27');
  await it.frame.getByText('$380.03 is now due Friday, February 27.').waitFor();
  await it.frame.getByText('You moved your February 17 payment to February 27').waitFor();
  await it.frame.getByText(/^Originally Tue/).waitFor();
  await expect
    .poll(it.events)
    .toEqual([
      { type: 'PLAN_UPDATED', data: { plan_id: halfway.id, change: 'installment_rescheduled' } },
    ]);
  await it.close();
});

test('changing the account and switching autopay are confirmed and emit PLAN_UPDATED', async () => {
  const it = await stage.open({ state: withPlan(halfway) });
  await press(it, /^Change how you pay/);
  await it.frame.getByLabel(/^Bank account/).check();
  await typeAccount(it, '000111110001');
  await press(it, 'Use this account');
  await it.frame
    .getByText('Your next payments will come from your bank account ending in 0001.')
    .waitFor();
  await press(it, /^Autopay On/);
  await press(it, 'Turn autopay off');
  await it.frame.getByText('Autopay is off', { exact: true }).waitFor();
  await it.frame.getByText('Autopay is off. Pay it here by that day.').waitFor();
  await press(it, /^Autopay Off/);
  await press(it, 'Turn autopay on');
  await it.frame.getByText('Autopay is on', { exact: true }).waitFor();
  const changes = async () =>
    (await it.events()).map((event) => (event.type === 'PLAN_UPDATED' ? event.data.change : ''));
  await expect.poll(changes).toEqual(['payment_method', 'autopay_disabled', 'autopay_enabled']);
  await it.close();
});

test('a plan that has not started can be canceled and replaced', async () => {
  const slow = bankAccount('0003');
  const it = await stage.open({ state: stateOf({ ...approved, payment_method: slow }) });
  await acceptAll(it);
  await waitForTitle(it, 'Your first payment is on its way');
  await press(it, /^Cancel this plan/);
  await it.frame.getByText('your rent will still be due in your portal').waitFor();
  await press(it, 'Keep the plan');
  await waitForTitle(it, 'Your first payment is on its way');
  await press(it, /^Cancel this plan/);
  await press(it, 'Cancel the plan');
  await it.frame.getByText('Your plan is canceled').waitFor();
  await waitForTitle(it, /^You’re approved/);
  await expect
    .poll(it.events)
    .toEqual([{ type: 'PLAN_UPDATED', data: { plan_id: 'pln_4hT8wZ2q', change: 'canceled' } }]);
  await it.close();
});

test('the agreement and a receipt are downloaded as PDF', async () => {
  const it = await stage.open({ state: withPlan(halfway) });
  await press(it, /^Your agreement/);
  const agreement = await readDownload(it, 'Save a copy');
  expect([agreement.name, agreement.text]).toEqual([
    'agreement.pdf',
    `File of agreement/${halfway.id} in en`,
  ]);
  await press(it, 'Back');
  await press(it, /^Receipt for .*410/);
  const receipt = await readDownload(it, 'Save');
  expect(receipt.name).toBe('receipt-2026-02-01.pdf');
  expect(receipt.text).toMatch(/^File of receipt\/rcp_\w+ in en$/);
  await it.close();
});

test('a document that cannot be downloaded says so, and can be tried again', async () => {
  const it = await stage.open({ state: withPlan(halfway) });
  await press(it, /^Your agreement/);
  stage.service.faults.set(`POST /document/agreement/${halfway.id}`, [...dropped]);
  await press(it, 'Save a copy');
  await it.frame.getByText('We couldn’t reach the service').waitFor();
  stage.service.faults.clear();
  expect((await readDownload(it, 'Save a copy')).name).toBe('agreement.pdf');
  await it.close();
});

test('a WebView that shows a document instead of saving it keeps the page, and the tenant is told', async () => {
  const it = await stage.open({ state: withPlan(halfway) });
  await press(it, /^Your agreement/);
  await readDownload(it, 'Save a copy');
  const showing = it.frame.locator('iframe[name=download]');
  expect(await showing.isVisible()).toBe(false);
  await showing.evaluate((frame: HTMLIFrameElement) => {
    frame.src = '/experience/none';
  });
  await it.frame.getByText('The file wasn’t saved').waitFor();
  expect(await showing.count()).toBe(0);
  expect((await readDownload(it, 'Save a copy')).name).toBe('agreement.pdf');
  await it.close();
});

test('documents are saved in Spanish if the page is in Spanish', async () => {
  const locale = 'es-MX';
  const it = await stage.open({ state: stateOf(approved), locale });
  await press(it, /^Continuar con 4/);
  await press(it, /^Leer el contrato/);
  const copy = await readDownload(it, 'Guardar una copia');
  await press(it, 'Volver');
  await it.frame.getByLabel(/^Leí el contrato/).check();
  await press(it, /^Aceptar y pagar/);
  await waitForTitle(it, 'Tu renta está dividida');
  await press(it, 'Ver mi plan');
  const dates = await readDownload(it, 'Agregar a mi calendario');
  await press(it, /^Recibo del/);
  const receipt = await readDownload(it, 'Guardar');
  const other = await stage.open({ state: stateOf(declined), locale });
  const notice = await readDownload(other, 'Guardar el aviso');
  for (const { text } of [copy, dates, receipt, notice]) expect(text).toMatch(/ in es$/);
  expect(dates.name).toBe('pagos.ics');
  await it.close();
  await other.close();
});

test('an accepted agreement names the language in which it was accepted', async () => {
  const it = await stage.open({ state: withPlan(halfway) });
  await press(it, /^Your agreement/);
  expect(await it.frame.getByText('You read it and signed it in').count()).toBe(0);
  await chooseLanguage(it, 'Español');
  await it.frame.getByText('Lo leíste y lo firmaste en inglés.').waitFor();
  await it.close();
});

test('accepting the agreement applies only to the text and language on screen', async () => {
  const it = await stage.open({ state: stateOf(approved) });
  await toConsent(it);
  await it.frame.getByLabel(/^I have read/).check();
  await chooseLanguage(it, 'Español');
  expect(await it.frame.getByLabel(/^Leí el contrato/).isChecked()).toBe(false);
  await chooseLanguage(it, 'English');
  expect(await it.frame.getByLabel(/^I have read/).isChecked()).toBe(true);
  await it.close();
});

test('the agreement can be saved before it is accepted', async () => {
  const it = await stage.open({ state: stateOf(approved) });
  await press(it, /^Continue with/);
  await press(it, /^Read the agreement/);
  const copy = await readDownload(it, 'Save a copy');
  expect([copy.name, copy.text]).toEqual([
    'agreement.pdf',
    expect.stringMatching(/^File of offer\/[\w-]+ in en$/),
  ]);
  await press(it, 'Back');
  await waitForTitle(it, 'Review and agree');
  await press(it, 'Back');
  await acceptAll(it);
  await waitForTitle(it, 'Your rent is split');
  await it.close();
});

test('if another window changed the plan first, its change is shown', async () => {
  const it = await stage.open({ state: withPlan(halfway) });
  await press(it, /^Autopay On/);
  stage.service.faults.set(`POST /plan/${halfway.id}/autopay`, ['step_not_allowed']);
  await press(it, 'Turn autopay off');
  await it.frame.getByText('Your plan has changed', { exact: true }).waitFor();
  await waitForTitle(it, /^Your next payment/);
  await it.close();
});

test('a closed plan and its receipts can be read without an open plan', async () => {
  const it = await stage.open({ state: stateOf({ past_plans: pastPlans }) });
  await press(it, /^January 2026 rent/);
  await waitForTitle(it, 'Your plan is paid off');
  await it.frame
    .getByRole('button', { name: /^Receipt for/ })
    .first()
    .click();
  await waitForTitle(it, /^Receipt for/);
  await press(it, /^Back$/);
  await waitForTitle(it, 'Your plan is paid off');
  await press(it, /^Back$/);
  await waitForTitle(it, /^Split your/);
  await it.close();
});

test('a changed bill is explained, and a credit is not taken for one', async () => {
  const history = [event('2026-02-07', 'charge_changed', null, 4000)];
  const changed = await stage.open({ state: withPlan(halfway, {}, { history }) });
  await changed.frame.getByText('Pay the difference in your portal.').waitFor();
  await changed.close();
  const amounts = { ...managementOf(halfway).amounts, credited_in_cents: 12000 };
  const credited = await stage.open({ state: withPlan(halfway, {}, { amounts }) });
  await waitForTitle(credited, /^Your next payment/);
  expect(await credited.frame.getByText(/^Your portal balance went/).count()).toBe(0);
  await credited.close();
});

import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  acceptAll,
  agree,
  chooseLanguage,
  fillCard,
  press,
  waitForTitle,
} from './fixture/actions.ts';
import { visa } from './fixture/methods.ts';
import { type Opened, type Stage, startStage } from './fixture/stage.ts';
import { approved, approvedFirst, stateOf } from './fixture/states.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await startStage();
});
afterAll(() => stage.close());

/** Opens the screen for the first account or card. */
async function openMethodScreen(): Promise<Opened> {
  const it = await stage.open({ state: stateOf(approvedFirst) });
  await press(it, /^Continue with/);
  await waitForTitle(it, 'How do you want to pay?');
  return it;
}

test('a card number is grouped while it is typed', async () => {
  const it = await openMethodScreen();
  await chooseLanguage(it, 'Español');
  await it.frame.getByLabel(/^Tarjeta de débito/).check();
  const number = it.frame.getByLabel('Número de tarjeta');
  await number.pressSequentially('424242424242');
  expect(await number.inputValue()).toBe('4242 4242 4242');
  await number.press('Home');
  await number.press('ArrowRight');
  await number.pressSequentially('99');
  await number.press('Backspace');
  await number.press('Backspace');
  await number.press('End');
  await number.pressSequentially('4242');
  expect(await number.inputValue()).toBe('4242 4242 4242 4242');
  const expires = it.frame.getByLabel('Vencimiento');
  await expires.pressSequentially('1228');
  expect(await expires.inputValue()).toBe('12/28');
  await it.frame.getByLabel('Código de seguridad').pressSequentially('123');
  await press(it, 'Usar esta tarjeta');
  await it.frame.getByText('Tarjeta Visa terminada en 4242', { exact: true }).waitFor();
  await it.close();
});

test('card fields have autofill names and a numeric keyboard', async () => {
  const it = await openMethodScreen();
  await it.frame.getByLabel(/^Debit card/).check();
  for (const [name, autocomplete] of [
    ['number', 'cc-number'],
    ['expires', 'cc-exp'],
    ['cvc', 'cc-csc'],
  ]) {
    const field = it.frame.locator(`input[name=${name}]`);
    expect(await field.getAttribute('autocomplete')).toBe(autocomplete);
    expect(await field.getAttribute('inputmode')).toBe('numeric');
  }
  await it.close();
});

test('each invalid card field shows its error, and the first one gets the focus', async () => {
  const it = await openMethodScreen();
  await it.frame.getByLabel(/^Debit card/).check();
  await press(it, 'Use this card');
  await it.frame.getByText('Check the card number.').waitFor();
  await it.frame.getByText('Enter the month and year').waitFor();
  await it.frame.getByText('Enter the three digits').waitFor();
  await it.frame.locator('input[name=number]:focus').waitFor();
  await fillCard(it, '4012 8888 8888 1881', '1/26');
  await press(it, 'Use this card');
  await it.frame.getByText('This is a credit card. Use a debit card.').waitFor();
  await it.frame.getByText('This card has expired.').waitFor();
  await it.frame.getByLabel(/^Bank account/).check();
  expect(await it.frame.locator('[aria-invalid=true]').count()).toBe(0);
  await it.close();
});

test('after a declined card the notice says why and that no money moved, and another card makes the plan', async () => {
  const it = await stage.open({ state: stateOf({ ...approved, payment_method: visa('9995') }) });
  await acceptAll(it);
  const alert = it.frame.getByRole('alert');
  await alert.getByText('Your payment was declined (Visa card ending in 9995)').waitFor();
  expect(await alert.innerText()).toContain('There wasn’t enough money in the account.');
  expect(await alert.innerText()).toContain('No money moved');
  await fillCard(it, '4242424242424242');
  await press(it, 'Use this card');
  await waitForTitle(it, 'Review and agree');
  await agree(it);
  await waitForTitle(it, 'Your rent is split');
  await it.frame.getByText('You paid $410.03 today from your Visa card ending in 4242.').waitFor();
  await it.close();
});

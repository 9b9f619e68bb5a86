import { expect, test } from 'vitest';
import { SvcError } from '../index.ts';
import { es } from '../locales/es.ts';
import { messageOf } from './create-message.ts';

test('the parts, and the terms that go with them', () => {
  expect(messageOf({ amount: 152012 })).toEqual({
    offer: '4 payments of $380.03',
    terms:
      'First payment of $380.03 plus a $30.00 fee today, then one every 7 days. 70.0% APR. Subject to approval.',
  });
});

test('cents that do not divide evenly go to the first payment', () => {
  const said = messageOf({ amount: 10001, count: 3, fee: 0 });
  expect(said?.offer).toBe('3 payments of $33.33');
  expect(said?.terms).toBe(
    'First payment of $33.35 today, then one every 7 days. No fee, 0% APR. Subject to approval.',
  );
});

test('Spanish', () => {
  expect(messageOf({ amount: 152012, locale: es })).toEqual({
    offer: '4 pagos de $380.03',
    terms:
      'Primer pago de $380.03 más una tarifa de $30.00 hoy, y luego uno cada 7 días. APR de 70.0%. Sujeto a aprobación.',
  });
});

test.for([[4999], [29_999], [500_001], [0], [-1]])('%i cents are not split', ([amount]) => {
  expect(messageOf({ amount: amount ?? 0 })).toBeUndefined();
});

test('the smallest amount is ten times the fee, unless the page names another one', () => {
  expect(messageOf({ amount: 30_000 })?.offer).toBe('4 payments of $75.00');
  expect(messageOf({ amount: 5000, fee: 0 })?.offer).toBe('4 payments of $12.50');
  expect(messageOf({ amount: 4999, fee: 0 })).toBeUndefined();
  expect(messageOf({ amount: 29_999, from: 20_000 })?.offer).toBe('4 payments of $74.99');
});

test('nothing is shown for a fee as high as the amount lent', () => {
  expect(messageOf({ amount: 6000, count: 2, fee: 3000, from: 5000 })).toBeUndefined();
});

test.for([
  ['amount', 380.03],
  ['amount', '152012'],
  ['count', 5],
  ['fee', -1],
  ['days', 0],
  ['to', Number.NaN],
] as const)('%s: %o is refused by name', ([name, value]) => {
  try {
    messageOf({ amount: 152012, [name]: value } as never);
  } catch (error) {
    expect(error).toBeInstanceOf(SvcError);
    expect((error as SvcError).issues).toMatchObject([{ name, got: String(value) }]);
    return;
  }
  throw new Error('it was accepted');
});

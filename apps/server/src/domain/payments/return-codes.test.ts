import { readFileSync } from 'node:fs';
import { chargebackCodes, confirmationCodes, failureCodes, isFinalRefusal } from '@svc/contract';
import { expect, test } from 'vitest';
import { actionFor, failureFacts } from './return-codes.ts';

test('every Nacha code from R01 to R31 has an action', () => {
  const codes = Array.from({ length: 31 }, (_, index) => `R${String(index + 1).padStart(2, '0')}`);
  expect(Object.keys(failureFacts).filter((it) => it.startsWith('R'))).toEqual(codes);
});

test.each(Object.keys({ ...failureCodes, ...chargebackCodes, ...confirmationCodes }))(
  '%s of the contract has an action, and it is final exactly if another method is needed',
  (code) => {
    expect(failureFacts[code]).toBeDefined();
    expect(actionFor(code) === 'other_method').toBe(isFinalRefusal(code));
  },
);

test.each(['R32', 'R99', 'fraudulent', 'final_card_declined', '', 'constructor', '__proto__'])(
  'the unknown code "%s" is not retried',
  (code) => {
    expect(actionFor(code)).toBe('review');
  },
);

test('the table of the documentation has every code and its action', () => {
  const page = new URL('../../../../../docs/operate/failed-payments.md', import.meta.url);
  const rows = readFileSync(page, 'utf8').matchAll(/^\| (`\w+`.*) \| .* \| `(\w+)` \|$/gm);
  const documented = Array.from(rows).flatMap(([, codes = '', action]) =>
    Array.from(codes.matchAll(/`(\w+)`/g), ([, code = '']) => [code, action] as const),
  );
  expect(documented).toHaveLength(Object.keys(failureFacts).length);
  for (const [code, action] of documented)
    expect(`${code} ${action}`).toBe(`${code} ${actionFor(code)}`);
});

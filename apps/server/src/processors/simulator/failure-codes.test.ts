import { declineCodes, failureCodes, returnCodes } from '@svc/contract';
import { expect, test } from 'vitest';
import { actionFor } from '../../domain/payments/return-codes.ts';
import { failureFor } from './failure-codes.ts';

test.each(Object.keys(failureCodes))('%s is said by bank accounts and by cards', (code) => {
  const [ofBank, ofCard] = [failureFor('bank_account', code), failureFor('card', code)];
  expect(Object.keys(returnCodes)).toContain(ofBank);
  expect(Object.keys(declineCodes)).toContain(ofCard);
  expect([ofBank, ofCard]).toContain(code);
  expect(actionFor(ofBank) === 'retry').toBe(actionFor(ofCard) === 'retry');
});

import { declineCodes, failureCodes, returnCodes } from '@svc/contract';
import { expect, test } from 'vitest';
import { terms } from '../domain/partners/terms.ts';
import { failureFor } from './failure-codes.ts';

const isRetried = (code: string) => terms.retryCodes.some((it) => it === code);

test.each(Object.keys(failureCodes))('%s is said by bank accounts and by cards', (code) => {
  const [ofBank, ofCard] = [failureFor('bank_account', code), failureFor('card', code)];
  expect(Object.keys(returnCodes)).toContain(ofBank);
  expect(Object.keys(declineCodes)).toContain(ofCard);
  expect([ofBank, ofCard]).toContain(code);
  expect(isRetried(ofBank)).toBe(isRetried(ofCard));
});

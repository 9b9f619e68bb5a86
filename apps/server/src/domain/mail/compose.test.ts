import { expect, test } from 'vitest';
import { sandboxCreditor } from '../../creditor.ts';
import type { Letter } from './claim.ts';
import { composeMail } from './compose.ts';

const letter: Letter = {
  id: 'mal_1',
  partnerId: 'ptn_1',
  tenantId: 'ten_1',
  pms: 'maple',
  type: 'installment.upcoming',
  data: { plan_id: 'pln_1', amount_in_cents: 38_003, due_date: '2026-02-09', number: 2 },
  productVariant: 'rent',
  simulated: false,
  attempts: 1,
  linkSealed: null,
  email: 'ada@example.com',
  firstName: 'Ada',
  addressedTo: { hmac: null, sha256: null },
  locale: 'en',
  timeZone: 'America/Chicago',
  createdAt: new Date('2026-02-06T15:00:00Z'),
  method: { brand: 'visa', expires: '2026-03', lastDueDate: '2026-03-02' },
};
const creditor = sandboxCreditor;
const place = { origin: 'https://svc.example', secret: 'svc_ml_x', creditor };

test.each([
  ['markup', '<img src=x onerror=alert(1)>', '&lt;img src=x onerror=alert(1)&gt;'],
  ['quotes', `"'&`, '&quot;&#39;&amp;'],
  ['lines and headers', 'Ada\r\nBcc: all@example.com', 'Ada Bcc: all@example.com'],
  ['hidden direction marks', 'A\u202Eda', 'A da'],
  ['no name', '', 'Hello,'],
])('a name with %s stays a name', (_, firstName, shown) => {
  const { html, text, subject } = composeMail({ ...letter, firstName }, place);
  expect(html).toContain(shown);
  expect(html).not.toContain('<img');
  expect(text.split('\n')[0]).toMatch(/^Hello.*,$/);
  expect(subject).toBe('$380.03 is due on February 9');
});

test('a failed payment says when it is tried again, on the day of the property', () => {
  const data = { ...letter.data, return_code: 'R01', next_attempt_at: '2026-02-11T02:00:00Z' };
  const { text } = composeMail({ ...letter, type: 'installment.failed', data }, place);
  expect(text).toContain('We’ll try again on February 10.');
  const last = { ...data, next_attempt_at: null };
  expect(composeMail({ ...letter, type: 'installment.failed', data: last }, place).text).toContain(
    'Pay it from your plan',
  );
});

test('a reminder warns of a card that expires before the last payment, and of no other', () => {
  expect(composeMail(letter, place).text).not.toContain('Your card ends');
  const ending = {
    ...letter,
    method: { brand: 'visa', expires: '2026-02', lastDueDate: '2026-03-02' },
  } as const;
  expect(composeMail(ending, place).text).toContain(
    'Your card ends 02/26. Your last payment is on March 2. Choose another way to pay for it.',
  );
  expect(composeMail({ ...ending, locale: 'es' }, place).text).toContain(
    'Tu tarjeta vence en 02/26. Tu último pago es el 2 de marzo.',
  );
});

test('a payment that the bank reversed is not reported as failed', () => {
  const data = { ...letter.data, taken_back: true, return_code: 'R10', next_attempt_at: null };
  const back = { ...letter, type: 'installment.failed', data } as const;
  const english = composeMail(back, place);
  expect(english.subject).toBe('Your bank took back your payment of $380.03');
  expect(english.text).toContain('that you had made. You owe it again.');
  const spanish = composeMail({ ...back, locale: 'es' }, place);
  expect(spanish.subject).toBe('Tu banco retiró tu pago de $380.03');
});

test('a mail names the kind of account, or none if the tenant pays manually', () => {
  const { text } = composeMail(letter, place);
  expect(text).toContain(`${creditor.name} lends to you. Postal address: ${creditor.address}.`);
  expect(text).toContain('We’ll take it from your Visa card on that day.');
  const byHand = composeMail({ ...letter, method: null }, place);
  expect(byHand.text).not.toMatch(/take it/);
  const method = { brand: null, expires: null, lastDueDate: null };
  const paid = composeMail({ ...letter, type: 'installment.paid', method }, place);
  expect(paid.text).toContain('payment of $380.03 from your bank account.');
});

test('Spanish mails about dues and about rent', () => {
  expect(composeMail({ ...letter, locale: 'es' }, place).text).toContain(
    'Tu próximo pago de renta',
  );
  const spanish = composeMail({ ...letter, locale: 'es', productVariant: 'hoa' }, place);
  expect(spanish.subject).toBe('$380.03 vence el 9 de febrero');
  expect(spanish.text).toContain('cuotas de la asociación');
  expect(spanish.text).toContain('de tu tarjeta Visa');
  expect(spanish.html).toContain('<html lang="es" dir="ltr">');
  expect(spanish.html).toContain('https://svc.example/experience/maple#link=svc_ml_x');
});

import { expect, test } from 'vitest';
import { disclosureText } from './disclosure.ts';

const offer = {
  installment_count: 2,
  installments: [
    { number: 1, due_date: '2026-02-01', amount_in_cents: 79_006 },
    { number: 2, due_date: '2026-02-17', amount_in_cents: 76_006 },
  ],
  amount_financed_in_cents: 152_012,
  fee_in_cents: 3000,
  finance_charge_in_cents: 3000,
  total_of_payments_in_cents: 155_012,
  apr_bps: 9010,
  debit_by: '2026-02-02',
};
const creditor = {
  name: 'Maple Bank',
  address: '1 Main St, Austin, TX 78701',
  supportEmail: 'help@maple.example',
};
const method = {
  id: 'pmt_1',
  type: 'card',
  brand: 'visa',
  last4: '4242',
  expires: '2027-12',
} as const;
const rent = { variant: 'rent', creditor, method } as const;
const hoa = { variant: 'hoa', creditor, method } as const;
const figures = ['90.1%', '$30.00', '$1,520.12', '$1,550.12', '$790.06', '$760.06'];

test.each([
  [
    'en',
    [
      'February 1, 2026: $790.06',
      'February 17, 2026',
      'by February 2, 2026',
      'from your Visa card ending in 4242',
    ],
  ],
  [
    'es',
    [
      '1 de febrero de 2026: $790.06',
      '17 de febrero de 2026',
      'el 2 de febrero de 2026',
      'de tu tarjeta Visa terminada en 4242',
    ],
  ],
] as const)('in %s every figure and every day stands in words', (locale, days) => {
  const text = disclosureText(offer, rent, locale);
  for (const part of [...figures, ...days]) expect(text).toContain(part);
  for (const part of Object.values(creditor)) expect(text).toContain(part);
});

test.each(['rent', 'hoa'] as const)('the Spanish text of %s has no English sentence', (variant) => {
  const english = /\b(the|of|and|you|your|we|is|for|to|by|from|rent|payments?)\b/i;
  expect(disclosureText(offer, { ...rent, variant }, 'en')).toMatch(english);
  expect(disclosureText(offer, { ...rent, variant }, 'es')).not.toMatch(english);
});

test('dues are never called rent', () => {
  expect(disclosureText(offer, hoa, 'en')).not.toMatch(/\brent\b/);
  expect(disclosureText(offer, hoa, 'es')).not.toMatch(/renta/);
});

test('the agreement names a bank account by its last digits', () => {
  const account = { ...method, type: 'bank_account', brand: null, last4: '0000' } as const;
  expect(disclosureText(offer, { ...rent, method: account }, 'en')).toContain(
    'from your bank account ending in 0000',
  );
});

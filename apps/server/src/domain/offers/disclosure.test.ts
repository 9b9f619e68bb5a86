import { documentBlocks, locales } from '@svc/contract';
import { describe, expect, test } from 'vitest';
import { wordsByLocale } from '../../words/words-by-locale.ts';
import { defaultTerms as terms } from '../partners/terms.ts';
import { failureFacts } from '../payments/return-codes.ts';
import { afterFailure } from '../plans/collect.ts';
import type { LivePart, LivePlan } from '../plans/live-plan.ts';
import type { TenantTime } from '../tenants/time.ts';
import { disclosureText, signerOf } from './disclosure.ts';

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
const planId = 'pln_01kj0000000000000000000000';
const signer = { name: 'Ada Lane', home: 'Elm Court, 1 Elm St, Austin, TX 78701' };
const lending = { license: null, military: null };
const rent = { planId, signer, variant: 'rent', creditor, method, terms, lending } as const;
const hoa = { ...rent, variant: 'hoa' } as const;
const figures = ['90.1%', '$30.00', '$1,520.12', '$1,550.12', '$790.06', '$760.06'];

test('the lender’s license is named where the lending rules have one', () => {
  const licensed = { ...rent, lending: { ...lending, license: 'Texas license 7' } };
  expect(disclosureText(offer, licensed, 'en')).toContain('\nLender’s license: Texas license 7\n');
  expect(disclosureText(offer, licensed, 'es')).toContain(
    '\nLicencia del prestamista: Texas license 7\n',
  );
  expect(disclosureText(offer, rent, 'en')).not.toContain('icense');
  const template = 'PLAN\n\nLicense: {license}\nHome: {home}';
  const own = { ...terms, documents: { agreement: { rent: { en: template, es: template } } } };
  expect(disclosureText(offer, { ...licensed, terms: own }, 'en')).toContain('License: Texas');
  expect(disclosureText(offer, { ...rent, terms: own }, 'en')).not.toContain('License');
});

test.each([
  [
    'en',
    [
      'February 1, 2026: $790.06',
      'February 17, 2026',
      'by February 2, 2026',
      'to your Visa card ending in 4242',
      'Signing date: February 1, 2026',
      'Borrower: Ada Lane',
      `Home: ${signer.home}`,
    ],
  ],
  [
    'es',
    [
      '1 de febrero de 2026: $790.06',
      '17 de febrero de 2026',
      'el 2 de febrero de 2026',
      'de tu tarjeta Visa terminada en 4242',
      'Fecha de firma: 1 de febrero de 2026',
      'Prestatario: Ada Lane',
      `Vivienda: ${signer.home}`,
    ],
  ],
] as const)('in %s every figure, every day and both parties stand in words', (locale, days) => {
  const text = disclosureText(offer, rent, locale);
  for (const part of [...figures, ...days, planId]) expect(text).toContain(part);
  for (const part of Object.values(creditor)) expect(text).toContain(part);
});

describe.each([
  [
    'en',
    {
      'move a payment': 'You can move a payment',
      'pay early': 'without a penalty',
      'no rebate, 12 CFR 1026.18(k)': 'You will not get a refund of part of the finance charge',
      'itemization, 12 CFR 1026.18(c)': 'ITEMIZATION OF THE AMOUNT FINANCED',
      'reference, 12 CFR 1026.18(p)':
        'See the rest of this agreement for any additional information about nonpayment, default,',
      retries: 'try it again up to 2 times, on later business days',
      '30 days past due': '30 days late:',
      '120 days past due': '120 days late:',
      'stop a payment, 12 CFR 1005.10(c)': 'at least 3 business days before its date',
      'hardware and software, 15 USC 7001(c)': 'a current web browser',
      'paper copy': 'a free paper copy',
      'withdraw consent': 'withdraw your consent',
    },
  ],
  [
    'es',
    {
      'move a payment': 'Puedes mover un pago',
      'pay early': 'sin penalización',
      'no rebate, 12 CFR 1026.18(k)': 'No se te reembolsará una parte del cargo financiero',
      'itemization, 12 CFR 1026.18(c)': 'DESGLOSE DEL MONTO FINANCIADO',
      'reference, 12 CFR 1026.18(p)':
        'Consulta el resto de este contrato para más información sobre la falta de pago',
      retries: 'intentarlo otra vez hasta 2 veces, en días hábiles posteriores',
      '30 days past due': '30 días de atraso:',
      '120 days past due': '120 días de atraso:',
      'stop a payment, 12 CFR 1005.10(c)': 'al menos 3 días hábiles antes de su fecha',
      'hardware and software, 15 USC 7001(c)': 'un navegador actual',
      'paper copy': 'una copia gratis en papel',
      'withdraw consent': 'retirar tu consentimiento',
    },
  ],
] as const)('the agreement in %s states', (locale, clauses) => {
  const text = disclosureText(offer, rent, locale);
  test.each(Object.entries(clauses))('%s', (_, clause) => expect(text).toContain(clause));
});

const retryClauses = {
  en: /because (?<reasons>.+), you authorize us to try it again (?:once|up to (?<times>\d) times), on/,
  es: /porque (?<reasons>.+), nos autorizas a intentarlo (?:una vez más|otra vez hasta (?<times>\d) veces), en/,
};

/** Returns how often the service retries a payment that fails with this code each time. */
function retriesAfter(code: string, retryAfterDays: readonly number[]): number {
  const plan = { timeZone: 'America/Chicago', terms: { retryAfterDays } } as unknown as LivePlan;
  const at = new Date('2026-02-02T15:00:00Z') as TenantTime;
  let part = { id: 'ins_1', state: 'scheduled', retries: 0, nextAttemptMs: 0 } as LivePart;
  for (let tried = 0; tried < 10; tried += 1) {
    const failed = { part, kind: 'scheduled', at, partState: part.state } as const;
    part = afterFailure(plan, failed, code).changed;
    if (part.nextAttemptMs === null) return tried;
  }
  throw new Error(`${code} is retried without end`);
}

describe.each(locales)('in %s the agreement authorizes', (locale) => {
  const phrases = wordsByLocale[locale].retryReasons;
  const codes = Object.keys(failureFacts);

  // Reads the text as a tenant does, so that neither the text nor the table and the code can change alone.
  test.each([{ retryAfterDays: [1, 3] }, { retryAfterDays: [3] }, { retryAfterDays: [] }])(
    'exactly the retries that follow a failure, with the terms $retryAfterDays',
    (change) => {
      const retried = codes.filter((code) => retriesAfter(code, change.retryAfterDays) > 0);
      const times = new Set(retried.map((code) => retriesAfter(code, change.retryAfterDays)));
      // The clause is the same for a bank account and a card, because the tenant can change from one to the other.
      for (const method of [
        rent.method,
        { ...rent.method, type: 'bank_account', brand: null } as const,
      ]) {
        const withTerms = { ...rent, method, terms: { ...terms, ...change } };
        const clause = retryClauses[locale].exec(disclosureText(offer, withTerms, locale))?.groups;
        const reasons = retried.map((code) => phrases[code] ?? `no words for ${code}`);
        const or = new Intl.ListFormat(locale, { type: 'disjunction' });
        expect(clause?.reasons ?? '').toBe(or.format(reasons));
        expect(clause === undefined ? [] : [Number(clause.times ?? 1)]).toEqual([...times]);
      }
    },
  );

  test('a retry for the failures of banks and of cards, and of no other code that has words', () => {
    const retried = codes.filter((code) => retriesAfter(code, terms.retryAfterDays) > 0);
    expect(Object.keys(phrases).toSorted()).toEqual(retried.toSorted());
    expect(retried.some((code) => /^R\d\d$/.test(code))).toBe(true);
    expect(retried.some((code) => !/^R\d\d$/.test(code))).toBe(true);
    const none = disclosureText(
      offer,
      { ...rent, terms: { ...terms, retryAfterDays: [] } },
      locale,
    );
    for (const phrase of Object.values(phrases)) expect(none).not.toContain(phrase);
  });
});

test.each([
  ['en', '1 day before each payment', 'at least 1 day from your other payments'],
  ['es', '1 día antes de cada pago', 'al menos a 1 día de tus otros pagos'],
] as const)('a single day is written as one (%s)', (locale, ...phrases) => {
  const daily = { ...rent, terms: { ...terms, remindDaysBefore: 1, daysApart: 1 } };
  for (const phrase of phrases) expect(disclosureText(offer, daily, locale)).toContain(phrase);
});

test('the home has its unit, which tells two tenants of a building apart', () => {
  const property = {
    id: 'P-1',
    name: 'Elm Court',
    line1: '1 Elm St',
    line2: 'Apt 4',
    city: 'Austin',
    state: 'TX',
    postal_code: '78701',
  };
  const homeOf = (line2: string | null) =>
    signerOf(null, { id: 'L-1', property: { ...property, line2 } }).home;
  expect(homeOf('Apt 4')).toBe('Elm Court, 1 Elm St, Apt 4, Austin, TX 78701');
  expect(homeOf(' ')).toBe('Elm Court, 1 Elm St, Austin, TX 78701');
  expect(homeOf(null)).toBe('Elm Court, 1 Elm St, Austin, TX 78701');
});

test('the disclosures stand apart from the rest, and the itemization from both', () => {
  const blocks = documentBlocks(disclosureText(offer, rent, 'en'));
  const headings = blocks.flatMap((it) => (it.kind === 'heading' ? [it.text] : []));
  expect(headings.slice(0, 4)).toEqual([
    'PAYMENT PLAN AGREEMENT',
    'TRUTH IN LENDING DISCLOSURES',
    'ITEMIZATION OF THE AMOUNT FINANCED',
    'WHAT WE LEND AND WHAT YOU REPAY',
  ]);
  expect(blocks.filter(({ kind }) => kind === 'list')).toEqual([
    { kind: 'list', items: ['February 1, 2026: $790.06', 'February 17, 2026: $760.06'] },
  ]);
  const spanish = documentBlocks(disclosureText(offer, rent, 'es'));
  expect(spanish.map(({ kind }) => kind)).toEqual(blocks.map(({ kind }) => kind));
});

test.each(['rent', 'hoa'] as const)('the Spanish text of %s has no English sentence', (variant) => {
  const english = /\b(the|of|and|you|your|we|is|for|to|by|from|rent|payments?)\b/i;
  expect(disclosureText(offer, { ...rent, variant }, 'en')).toMatch(english);
  expect(disclosureText(offer, { ...rent, variant }, 'es')).not.toMatch(english);
});

test('dues are never called rent', () => {
  expect(disclosureText(offer, hoa, 'en')).not.toMatch(/\b(rent|lease|landlord)\b/);
  expect(disclosureText(offer, hoa, 'es')).not.toMatch(/renta|arrenda/);
});

test('the agreement names a bank account by its last digits', () => {
  const account = { ...method, type: 'bank_account', brand: null, last4: '0000' } as const;
  expect(disclosureText(offer, { ...rent, method: account }, 'en')).toContain(
    'to your bank account ending in 0000',
  );
});

test.each(locales)('without the signer, only the names are missing (%s)', (locale) => {
  const text = disclosureText(offer, rent, locale);
  const anonymous = disclosureText(offer, { ...rent, signer: null }, locale);
  expect(anonymous).not.toMatch(/Ada|Lane|Elm/);
  const { removed } = wordsByLocale[locale];
  expect(text.replace(signer.name, removed).replace(signer.home, removed)).toBe(anonymous);
});

test('a name cannot change the layout, and a home that is not known has no line', () => {
  const personal = {
    firstName: 'Ada\n\nFEES\n1. none',
    lastName: 'L\u202Eane',
    email: '',
    phoneNumber: null,
  };
  const named = signerOf(personal, null);
  const text = disclosureText(offer, { ...rent, signer: named }, 'en');
  expect(text).toContain('Borrower: Ada FEES 1. none L ane\n');
  expect(text).not.toContain('Home:');
  const property = { id: 'P-9', name: 'Elm Court', line1: null, city: 'Austin', state: 'TX' };
  const lease = { id: 'L-1', property } as Parameters<typeof signerOf>[1];
  expect(signerOf(null, lease).home).toBe('Elm Court, Austin, TX');
});

test('a home written from right to left does not turn its address around, nor the line around it', () => {
  const property = {
    id: 'P-9',
    name: 'برج النخيل\u202e',
    line1: '1 Elm St\nFEES',
    line2: 'شقة 4',
    city: 'Austin',
    state: 'TX',
    postal_code: '78701',
  };
  const named = signerOf(null, { id: 'L-1', property });
  const text = disclosureText(offer, { ...rent, signer: named }, 'en');
  expect(text).toContain(
    'Home: \u2068برج النخيل\u2069, 1 Elm St FEES, \u2068شقة 4\u2069, Austin, TX 78701\n',
  );
});

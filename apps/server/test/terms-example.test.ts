import { readFileSync } from 'node:fs';
import { documentBlocks } from '@svc/contract';
import { expect, test } from 'vitest';
import { sandboxCreditor } from '../src/creditor.ts';
import { unlimited } from '../src/domain/lending/lending-rules.ts';
import { disclosureText } from '../src/domain/offers/disclosure.ts';
import { parseTerms } from '../src/domain/partners/apply-terms.ts';
import { defaultTerms, programTerms, toTerms } from '../src/domain/partners/terms.ts';

const root = new URL('../../../', import.meta.url);
const file = JSON.parse(readFileSync(new URL('examples/terms/texas.json', root), 'utf8'));
const page = readFileSync(new URL('docs/operate/terms.md', root), 'utf8');

test('the page names every field and shows the values of the example', () => {
  for (const field of Object.keys(programTerms.shape)) expect(page).toContain(`\`${field}\``);
  const { documents: _, ...terms } = file;
  const shown = /```json\n(\{\n {2}"fee_in_cents"[\s\S]*?)\n```/.exec(page)?.[1] ?? '{}';
  expect(JSON.parse(shown)).toEqual(terms);
});

test('the page says each default, with its source', () => {
  const [, section = ''] = page.split('## Where the defaults come from');
  const rows = [...section.matchAll(/^\| (`.*) \| (`.*) \| (.+) \|$/gm)];
  const namesIn = (text = '') => [...text.matchAll(/`([^`]+)`/g)].map(([, it = '']) => it);
  const shown = rows.flatMap(([, names, values]) =>
    namesIn(names).map((name, index) => [name, JSON.parse(namesIn(values)[index] ?? '')]),
  );
  const { documents: _, ...defaults } = { fee_share_percent: 10, ...defaultTerms.source };
  expect(Object.fromEntries(shown)).toEqual(defaults);
});

test.each([
  ['en', 'Visa card ending in 4242', 'Home: Elm Court'],
  ['es', 'tarjeta Visa terminada en 4242', 'Vivienda: Elm Court'],
] as const)(
  'the example’s agreement in %s is a document with all facts',
  (locale, account, home) => {
    const text = disclosureText(
      {
        installment_count: 2,
        installments: [
          { number: 1, due_date: '2026-02-01', amount_in_cents: 78_506 },
          { number: 2, due_date: '2026-02-17', amount_in_cents: 76_006 },
        ],
        amount_financed_in_cents: 152_012,
        fee_in_cents: 2500,
        finance_charge_in_cents: 2500,
        total_of_payments_in_cents: 154_512,
        apr_bps: 7_510,
        debit_by: '2026-02-02',
      },
      {
        planId: 'pln_1',
        signer: { name: 'Ada Lane', home: 'Elm Court' },
        variant: 'rent',
        creditor: sandboxCreditor,
        method: { id: 'pmt_1', type: 'card', brand: 'visa', last4: '4242', expires: '2027-12' },
        terms: toTerms('trm_1', parseTerms(file)),
        lending: unlimited,
      },
      locale,
    );
    for (const fact of [account, home, '75.1%', '$25.00', '$1,545.12', '2. ']) {
      expect(text).toContain(fact);
    }
    const kinds = documentBlocks(text).map((it) => it.kind);
    expect(kinds.slice(0, 4)).toEqual(['heading', 'terms', 'heading', 'terms']);
    expect(kinds).toContain('list');
  },
);

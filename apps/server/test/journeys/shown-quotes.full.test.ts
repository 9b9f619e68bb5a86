import { type ExperienceState, localeOf, type QuoteOutput } from '@svc/contract';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { en, type Words } from '../../../experience/src/words/en.ts';
import { es } from '../../../experience/src/words/es.ts';
import { type Opened, type Stage, startStage } from '../../../experience/test/fixture/stage.ts';
import { offeredAgreement } from '../../src/domain/documents/agreement.ts';
import { renderPdf } from '../../src/domain/documents/render-pdf.ts';
import { ada, useService } from '../harness.ts';
import { readPdf } from '../support/read-pdf.ts';
import { checkAgreement } from './check-agreement.ts';
import { playTenant, testAccount } from './play-tenant.ts';
import { centsIn, readFacts, readRows, sum, textOf } from './read-shown-amounts.ts';

/*
 * A tenant owes a random amount. The real service computes the quotes, and the real experience shows
 * them from the offer to the saved agreement. Every screen and document must have the same amounts.
 */
const svc = await useService();
const partner = await svc.newPartner();
let stage: Stage;
beforeAll(async () => {
  stage = await startStage();
});
afterAll(() => stage.close());

const runs = Number(process.env.SVC_MONEY_RUNS ?? 8);
const seed = Number(process.env.SVC_MONEY_SEED ?? 20_261_124);
const variants = ['rent', 'hoa'] as const;

let tenants = 0;

interface Case {
  amount: number;
  count: number;
  locale: 'en' | 'es';
  variant: (typeof variants)[number];
}

/** A tenant of the real service who owes the amount, before the application. */
async function newTenant({ amount, variant }: Case) {
  tenants += 1;
  const { key, pms } = partner;
  const externalId = `quotes-${tenants}`;
  await svc.call('POST', `/simulation/${externalId}/set_underwriting_result`, {
    key,
    body: { underwriting_result: 'WILL_BE_APPROVED', rent_cycle_date: '2026-02-01' },
  });
  const part = Math.floor(amount / 3);
  const type = variant === 'hoa' ? 'hoa_dues' : 'rent';
  const charges = [
    { id: 'C-1', type, due_date: '2026-02-01', amount_in_cents: amount - part },
    { id: 'C-2', type: 'utility', due_date: '2026-02-01', amount_in_cents: part },
  ];
  const info = await svc.call('POST', `/tenant/portal_info/${externalId}`, {
    key,
    body: { ...ada, charges, lease: { ...ada.lease, id: externalId } },
  });
  const who = { pms, apiKey: key, externalId, productVariant: variant };
  return playTenant(svc, info.data.token, who);
}

async function runAndCheck(given: Case): Promise<void> {
  const { amount, count, locale } = given;
  const words = locale === 'en' ? en : es;
  const tenant = await newTenant(given);
  const offered: ExperienceState = (await tenant.state()).data;
  expect(offered.cycle?.amount_due_in_cents).toBe(amount);
  const fee = offered.terms.fee_in_cents;

  const before = await stage.open({ state: offered, locale: `${locale}-US` });
  await checkOffer(before, words, { amount, fee });
  await before.close();

  await tenant.apply();
  await tenant.pay(testAccount);
  const state: ExperienceState = (await tenant.state()).data;
  const quotes: QuoteOutput[] = (await tenant.quotes()).data.items;
  const quote = quotes.find((it) => it.installment_count === count);
  if (quote === undefined) throw new Error(`no quote of ${count} payments`);
  const opened = await stage.open({ state, quotes, locale: `${locale}-US` });
  await checkChoice(opened, words, { amount, fee, quote });
  await checkConsent(opened, words, { quote, locale });
  await opened.close();

  await tenant.accept({ id: quote.id, disclosure: { sha256: shaOf(quote, locale) } }, { locale });
  const { plan, ...accepted }: ExperienceState = (await tenant.state()).data;
  if (plan === null) throw new Error('no plan was made');
  const done = await stage.open({
    state: { ...accepted, plan, step: 'done' },
    locale: `${locale}-US`,
  });
  await done.frame.locator('.svc-schedule').waitFor();
  expect(centsIn(await textOf(done.frame, '.lead'))).toEqual([firstOf(quote)]);
  await checkCost(done, { amount, fee, quote });
  await checkSchedule(done, words, quote);
  expect(centsIn(await done.frame.locator('.steps').first().innerText())).toEqual([amount]);
  await done.close();
}

async function checkOffer(
  opened: Opened,
  words: Words,
  { amount, fee }: { amount: number; fee: number },
): Promise<void> {
  const { frame } = opened;
  expect(centsIn(await textOf(frame, 'h1'))).toEqual([amount]);
  const charges = await frame
    .locator('.list__row:not(.split-preview) .list__value')
    .allInnerTexts();
  expect(sum(charges.flatMap(centsIn))).toBe(amount);
  await checkCost(opened, { amount, fee });
  const tiles = await frame.locator('.option--tile').all();
  expect(tiles).toHaveLength(3);
  for (const tile of tiles) {
    await tile.click();
    await checkSplit(
      `${await tile.innerText()} ${await textOf(frame, '.split-amounts')}`,
      amount + fee,
    );
  }
  // The application repeats the split that was chosen.
  await frame.getByRole('button', { name: words.offer.action }).click();
  await frame.locator('.split-preview h2').waitFor();
  await checkSplit(await textOf(frame, '.split-preview'), amount + fee);
  await checkCost(opened, { amount, fee });
}

/** "$410.03 today then 3 × $380.03" */
async function checkSplit(text: string, total: number): Promise<void> {
  const [today = 0, each = 0] = centsIn(text);
  const times = Number(/(\d)\s×/.exec(text)?.[1] ?? 1);
  expect(today + times * each).toBe(total);
}

async function checkChoice(
  opened: Opened,
  words: Words,
  { amount, fee, quote }: { amount: number; fee: number; quote: QuoteOutput },
): Promise<void> {
  const { frame } = opened;
  expect(centsIn(await textOf(frame, 'h1'))).toEqual([amount]);
  await frame.locator(`input[value="${quote.installment_count}"]`).check();
  await checkSchedule(opened, words, quote);
  await checkCost(opened, { amount, fee, quote });
  const tile = await textOf(frame, `label:has(input[value="${quote.installment_count}"])`);
  expect(centsIn(tile)).toEqual([firstOf(quote)]);
  const values = await frame.locator('.list__row--labeled .list__value').allInnerTexts();
  expect(values.flatMap(centsIn)).toEqual([amount]);
  await frame.getByRole('button', { name: words.choice.action(quote.installment_count) }).click();
  await frame.getByRole('heading', { level: 1, name: words.consent.title }).waitFor();
}

async function checkConsent(
  opened: Opened,
  words: Words,
  { quote, locale }: { quote: QuoteOutput; locale: string },
): Promise<void> {
  const { frame } = opened;
  const fact = await readFacts(frame, '.disclosure');
  expect(fact(words.consent.charge)).toBe(quote.finance_charge_in_cents);
  expect(fact(words.consent.financed)).toBe(quote.amount_financed_in_cents);
  expect(fact(words.consent.total)).toBe(quote.total_of_payments_in_cents);
  const apr = aprOf(quote);
  expect(await textOf(frame, '.disclosure')).toContain(apr);
  await checkSchedule(opened, words, quote);
  expect(centsIn(await textOf(frame, '.footer button'))).toEqual([firstOf(quote)]);
  const text = textIn(quote, locale);
  checkAgreement(text, quote);
  expect(text).toContain(apr);
  await frame.getByRole('button', { name: words.consent.text }).click();
  await frame.locator('.agreement').waitFor();
  expect(centsIn(await textOf(frame, '.agreement'))).toEqual(centsIn(text));
  const look = { name: '', accent: '#0f766e', logo: null, lender: '' };
  const offered = offeredAgreement(
    { text, sha256: '', locale: localeOf(locale) ?? 'en' },
    '2026-02-01',
  );
  const saved = readPdf(await renderPdf(offered.compose(), look));
  expect(centsIn(saved.text)).toEqual(centsIn(text));
}

/** The payments add up to the total, and what is left after each counts down to zero. */
async function checkSchedule({ frame }: Opened, words: Words, quote: QuoteOutput): Promise<void> {
  const rows = await readRows(frame, words);
  expect(rows.map((it) => it.cents)).toEqual(quote.installments.map((it) => it.amount_in_cents));
  expect(sum(rows.map((it) => it.cents))).toBe(quote.total_of_payments_in_cents);
  let left = quote.total_of_payments_in_cents;
  for (const { cents, after, state } of rows) {
    left -= cents;
    if (state !== 'paid') expect(after).toBe(left);
  }
}

/** The sentence of the cost: "total: part and fee". */
async function checkCost(
  { frame }: Opened,
  { amount, fee, quote }: { amount: number; fee: number; quote?: QuoteOutput },
): Promise<void> {
  const text = await textOf(frame, '.cost');
  expect(centsIn(text)).toEqual([amount + fee, amount, fee]);
  if (quote !== undefined) expect(text).toContain(aprOf(quote));
}

function aprOf({ apr_bps }: QuoteOutput): string {
  const style = { style: 'percent', maximumFractionDigits: 2 } as const;
  return (apr_bps / 10_000).toLocaleString('en-US', style);
}

function firstOf({ installments: [first] }: QuoteOutput): number {
  return first?.amount_in_cents ?? Number.NaN;
}

function textIn({ disclosure }: QuoteOutput, locale: string): string {
  return disclosureIn(disclosure, locale).text;
}

function shaOf({ disclosure }: QuoteOutput, locale: string): string {
  return disclosureIn(disclosure, locale).sha256;
}

function disclosureIn(disclosure: QuoteOutput['disclosure'], locale: string) {
  if (disclosure === null) throw new Error('the quote has no agreement');
  return disclosure.translations.find((it) => it.locale === locale) ?? disclosure;
}

test(
  'the amounts agree from the offer to the agreement and the first receipt',
  async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.record({
          // Less than ten times the fee of 30.00 cannot be split.
          amount: fc.integer({ min: 30_000, max: 500_000 }),
          count: fc.constantFrom(2, 3, 4),
          locale: fc.constantFrom('en' as const, 'es' as const),
          variant: fc.constantFrom(...variants),
        }),
        runAndCheck,
      ),
      { numRuns: runs, seed },
    );
  },
  120_000 + runs * 20_000,
);

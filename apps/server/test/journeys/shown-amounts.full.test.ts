import { type ExperienceState, locales, type OwnPlanOutput } from '@svc/contract';
import { sql } from '@svc/db';
import { rowsOf } from '@svc/db/testing';
import fc from 'fast-check';
import type { Frame } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { en, type Words } from '../../../experience/src/words/en.ts';
import { es } from '../../../experience/src/words/es.ts';
import { type Opened, type Stage, startStage } from '../../../experience/test/fixture/stage.ts';
import { sandboxCreditor } from '../../src/creditor.ts';
import { defaultBrand } from '../../src/domain/mail/brand.ts';
import type { Letter } from '../../src/domain/mail/claim.ts';
import { composeMail } from '../../src/domain/mail/compose.ts';
import { defaultTerms } from '../../src/domain/partners/terms.ts';
import { useService } from '../harness.ts';
import { checkAgreement } from './check-agreement.ts';
import { checkAmounts } from './check-amounts.ts';
import { commands, methods, type TenantCommand } from './money-commands.ts';
import { testCard } from './play-tenant.ts';
import { centsIn, readFacts, readRows, spaced, sum, textOf } from './read-shown-amounts.ts';
import { withPlan } from './with-plan.ts';

/*
 * Random plans run on the real service, and the real experience renders each of their states in a
 * browser. Every total on a screen, document or mail must be the sum of the amounts listed with it,
 * and both must be the amounts that the domain computed.
 */
const svc = await useService();
const partner = await svc.newPartner();
let stage: Stage;
beforeAll(async () => {
  stage = await startStage();
});
afterAll(() => stage.close());

const runs = Number(process.env.SVC_MONEY_RUNS ?? 6);
const seed = Number(process.env.SVC_MONEY_SEED ?? 20_261_122);
type Tenant = Awaited<ReturnType<typeof withPlan>>;

let tenants = 0;
let screens = 0;
const seen = new Set<string>();

/** Runs the commands and checks the screens after each one that changed the plan. */
async function runAndCheck(account: object, steps: readonly TenantCommand[], locale: 'en' | 'es') {
  tenants += 1;
  const tenant = await withPlan(svc, partner, `shown-${tenants}`, { account, locale });
  for (const step of steps) {
    await step(tenant, { svc, partner });
    const own: OwnPlanOutput = (await tenant.ownPlan()).data;
    checkAmounts(own);
    const { amounts } = own.management;
    const fingerprint = JSON.stringify([own.plan.state, own.management.autopay, amounts, locale]);
    if (seen.has(fingerprint)) continue;
    seen.add(fingerprint);
    await checkScreens(tenant, own, locale);
  }
  await checkMails(tenant, (await tenant.ownPlan()).data);
}

/** Opens the plan's home screen, also for a plan that has ended, and checks its amounts. */
async function checkScreens(
  tenant: Tenant,
  { plan, management }: OwnPlanOutput,
  locale: 'en' | 'es',
) {
  screens += 1;
  const now: ExperienceState = (await tenant.state()).data;
  const state: ExperienceState = { ...now, step: 'manage', plan, management, reopened_plan: null };
  const opened = await stage.open({ state, locale: `${locale}-US` });
  const { frame } = opened;
  await frame.locator(`html[lang|=${locale}]`).waitFor();
  await frame.locator('.svc-schedule').waitFor();
  const words = locale === 'en' ? en : es;
  const { left_in_cents: left, late_in_cents: late } = management.amounts;
  await checkHome(frame, words, { plan, management });
  await checkPages(opened, words, { plan, management });
  const button = frame.locator('.footer button.svc-button');
  const asks = (await button.count()) === 1 ? centsIn(await button.innerText()) : [];
  if (late > 0 && plan.state !== 'charged_off') expect(asks).toEqual([late]);
  if (asks.length > 0) {
    await button.click();
    await checkPayScreen(frame, words, { asks, left });
  }
  await opened.close();
}

async function checkHome(frame: Frame, words: Words, { plan, management }: OwnPlanOutput) {
  const { amounts, receipts } = management;
  const copy = words.manage;
  const total = amounts.agreed_in_cents - amounts.credited_in_cents;
  // The title and the sentence of the cost.
  await frame.locator('summary').click();
  const rows = await readRows(frame, words);
  const open = rows.filter(({ state }) => !['paid', 'canceled'].includes(state));
  const title = await textOf(frame, 'h1');
  // Only a payment to be made by hand has its amount in the title.
  for (const cents of centsIn(title)) expect([cents]).toEqual([open[0]?.cents]);
  if (!['canceled', 'created'].includes(plan.state)) {
    // What is left is said once: below the bar, or above it as the amount that is due.
    const left = centsIn(await textOf(frame, '.summary'));
    if (amounts.left_in_cents > 0) expect(left).toContain(amounts.left_in_cents);
    for (const cents of centsIn(await textOf(frame, '.plan-progress__text'))) {
      expect(cents).toBe(amounts.left_in_cents);
    }
  }
  const [first = 0, ...others] = centsIn(await textOf(frame, '.cost'));
  expect(first).toBe(total);
  // "total: part and fee" or "total: agreed minus credit".
  const [a = 0, b = 0] = others;
  expect(amounts.credited_in_cents === 0 ? a + b : a - b).toBe(total);
  // The schedule lists what is left, paid and credited.
  const inRows = (some: typeof rows) => sum(some.map((it) => it.cents));
  expect(inRows(open)).toBe(amounts.left_in_cents);
  const partly = sum(rows.map((it) => it.partlyPaid));
  expect(inRows(rows.filter((it) => it.state === 'paid')) + partly).toBe(amounts.paid_in_cents);
  expect(sum(rows.map((it) => it.credited))).toBe(amounts.credited_in_cents);
  for (const row of rows.filter((it) => it.originally !== null)) {
    expect(row.originally).toBe(row.cents + row.credited + row.partlyPaid);
  }
  // "Left after it" counts down to zero and is not shown while a payment is late.
  if (amounts.late_in_cents > 0) expect(rows.filter((it) => it.after !== null)).toEqual([]);
  else {
    let left = amounts.left_in_cents;
    for (const row of open) {
      left -= row.cents;
      expect(row.after).toBe(left);
    }
  }
  // The figures add up line by line.
  const fact = await readFacts(frame);
  const agreed = fact(copy.total);
  expect(agreed).toBe(amounts.agreed_in_cents);
  expect(plan.amount_financed_in_cents + fact(copy.fee)).toBe(agreed);
  const calculation = await readFacts(frame, 'details dl');
  const credited = 0 - calculation(copy.credited(await payeeIn(frame)));
  const canceled = 0 - calculation(words.pastPlans.states.canceled);
  expect([credited, canceled]).toEqual([amounts.credited_in_cents, amounts.canceled_in_cents]);
  if (!['canceled', 'created'].includes(plan.state)) {
    expect(fact(copy.paidSoFar) + amounts.left_in_cents).toBe(agreed - credited - canceled);
    expect(fact(copy.refunded)).toBe(amounts.refunded_in_cents);
  }
  if (credited > 0) expect(fact(copy.totalNow)).toBe(agreed - credited - canceled);
  // The card shows what is late.
  if (amounts.late_in_cents > 0 && ['active', 'past_due'].includes(plan.state)) {
    expect(centsIn(await textOf(frame, '.summary .amount'))).toEqual([amounts.late_in_cents]);
  }
  // A plan that is over says what was paid, and what of it was refunded.
  const settled = [amounts.paid_in_cents, amounts.refunded_in_cents].filter((cents) => cents > 0);
  if (plan.state === 'completed') {
    expect(centsIn(await textOf(frame, '.summary__end'))).toEqual(settled);
  }
  if (plan.state === 'charged_off') {
    const owesMore = amounts.left_in_cents > 0;
    const shown = centsIn(await textOf(frame, owesMore ? '.summary .amount' : '.summary__end'));
    expect(shown).toEqual(owesMore ? [amounts.left_in_cents] : settled);
    expect(title).toBe(owesMore ? copy.titles.chargedOff : copy.titles.settled);
  }
  // The receipts add up to the paid amount, in the list and in the document.
  const notes = await frame.locator('.action-row__button').allInnerTexts();
  const listed = notes.filter((text) => spaced(text).startsWith(copy.receipt('')));
  expect(listed).toHaveLength(receipts.length);
  expect(sum(listed.flatMap(centsIn))).toBe(amounts.paid_in_cents);
  const [newest] = receipts;
  if (newest !== undefined) {
    await frame
      .getByRole('button', { name: copy.receipt('') })
      .first()
      .click();
    await frame.getByText(newest.id).waitFor();
    const paper = await readFacts(frame);
    expect(paper(words.receipts.paid)).toBe(newest.amount_in_cents);
    expect(paper(words.receipts.returned)).toBe(newest.returned_in_cents);
    await frame.getByRole('button', { name: words.back, exact: true }).click();
    // Each home screen has the schedule. That of a canceled plan has neither a summary nor a lead.
    await frame.locator('.svc-schedule').waitFor();
  }
}

/** Checks the activity and the pages that open from the home screen. */
async function checkPages(
  { frame }: Opened,
  words: Words,
  { plan, management }: OwnPlanOutput,
): Promise<void> {
  const { amounts, history, installments } = management;
  const withAmount = ['paid', 'taken_back', 'refunded', 'credited', 'charged_off'];
  const expected = history.flatMap(({ kind, amount_in_cents }) => {
    if (kind === 'accepted') return [amounts.agreed_in_cents];
    return withAmount.includes(kind) && amount_in_cents !== null ? [Math.abs(amount_in_cents)] : [];
  });
  const activity = await frame.locator('.activity__amount').allInnerTexts();
  expect(activity.flatMap(centsIn)).toEqual(expected);

  const openPage = async (title: string): Promise<boolean> => {
    const button = frame.getByRole('button', { name: title });
    if ((await button.count()) === 0) return false;
    await button.first().click();
    await frame.getByRole('button', { name: words.back, exact: true }).waitFor();
    return true;
  };
  const goBack = async () => {
    await frame.getByRole('button', { name: words.back, exact: true }).click();
    await frame.locator('.activity').waitFor();
  };
  const leftOf = (id: string) => {
    const number = plan.installments.find((it) => it.id === id)?.number;
    return amounts.installments.find((it) => it.number === number)?.left_in_cents ?? 0;
  };

  if (await openPage(words.cantPay.title)) {
    const payable = installments.filter((it) => it.may_pay).toSorted(byDay(plan));
    expect(centsIn(await textOf(frame, '.lead'))).toEqual([leftOf(payable[0]?.id ?? '')]);
    const range = payable[0]?.part_payment;
    const listed = await frame.locator('.action-row__note').allInnerTexts();
    expect(listed.flatMap(centsIn)).toEqual(
      range ? [range.least_in_cents, range.most_in_cents] : [],
    );
    await goBack();
  }
  if (await openPage(words.manage.move)) {
    expect(centsIn(await textOf(frame, '.lead'))).toEqual([amounts.left_in_cents]);
    const movable = installments.filter((it) => it.reschedule_days.length > 0);
    const options = await frame
      .locator('label:has(input[name=installment_id]) .option__title')
      .allInnerTexts();
    const ascending = (a: number, b: number) => a - b;
    expect(options.flatMap(centsIn).toSorted(ascending)).toEqual(
      movable.map(({ id }) => leftOf(id)).toSorted(ascending),
    );
    const rows = await readRows(frame, words);
    expect(sum(rows.filter(isOwed).map((it) => it.cents))).toBe(amounts.left_in_cents);
    await goBack();
  }
  // The agreement keeps the amounts that were agreed; the schedule below it has those of today.
  if (await openPage(words.manage.agreement)) {
    await frame.locator('.agreement').waitFor();
    checkAgreement(management.agreement.text, plan);
    expect(centsIn(await textOf(frame, '.agreement'))).toEqual(centsIn(management.agreement.text));
    const rows = await readRows(frame, words);
    if (plan.state !== 'canceled') {
      expect(sum(rows.filter(isOwed).map((it) => it.cents))).toBe(amounts.left_in_cents);
    }
    await goBack();
  }
}

const isOwed = ({ state }: { state: string }) => !['paid', 'canceled'].includes(state);

function byDay({ installments }: OwnPlanOutput['plan']) {
  const dayOf = (id: string) => installments.find((it) => it.id === id)?.due_date ?? '';
  return (a: { id: string }, b: { id: string }) => dayOf(a.id).localeCompare(dayOf(b.id));
}

async function checkPayScreen(
  frame: Frame,
  words: Words,
  { asks, left }: { asks: number[]; left: number },
) {
  await frame.getByRole('heading', { level: 1, name: words.pay.title }).waitFor();
  const options = await frame.locator('form .checkbox .option__title').allInnerTexts();
  expect(sum(options.flatMap(centsIn))).toBe(left);
  const fact = await readFacts(frame);
  expect(sum(asks) + fact(words.pay.leftAfter)).toBe(left);
  expect(centsIn(await textOf(frame, '.footer button'))).toEqual(asks);
  // A part of a single payment: what is left counts with it.
  if (await frame.locator('input[name=part][value=part]').isDisabled()) return;
  await frame.locator('input[name=part][value=part]').check();
  await frame.locator('input[name="part.amount_in_cents"]').fill('21.37');
  const part = await readFacts(frame);
  expect(part(words.pay.leftAfter)).toBe(left - 2_137);
  expect(centsIn(await textOf(frame, '.footer button'))).toEqual([2_137]);
}

/** Checks that mails name only amounts that the plan's history contains, or that were left then. */
async function checkMails(tenant: Tenant, { plan, management }: OwnPlanOutput) {
  const signed = management.agreement;
  const mails = await rowsOf<Pick<Letter, 'type' | 'data'>>(
    svc.db,
    sql`
    select type, data from mail where data->>'plan_id' = ${plan.id}`,
  );
  const past = (...kinds: string[]) =>
    management.history.filter((it) => kinds.includes(it.kind)).map((it) => it.amount_in_cents);
  const { agreed_in_cents: agreed } = management.amounts;
  for (const { type, data } of mails) {
    const { amount_in_cents: amount, credited_in_cents: credited } = data;
    const { left_in_cents: left, refunded_in_cents: refunded } = data;
    const rest = data.rest?.amount_in_cents;
    const next = data.next?.amount_in_cents;
    const known = [amount, left, rest, next, credited, refunded].filter(Boolean);
    for (const locale of locales) {
      const agreement = type === 'plan.activated' ? signed : null;
      const { text, html, subject } = composeMail(
        { ...letter, type, data, locale, agreement },
        place,
      );
      // The agreement is part of the mail, with the same amounts.
      const inAgreement = centsIn(agreement?.text ?? '');
      const named = [...centsIn(subject), ...centsIn(text)];
      expect(named.filter((it) => !known.includes(it) && !inAgreement.includes(it))).toEqual([]);
      expect(named).toEqual(expect.arrayContaining(inAgreement));
      expect(new Set(centsIn(html))).toEqual(new Set(named));
      const main = [amount, credited, refunded].filter(Boolean);
      if (type !== 'plan.activated') expect(named).toEqual(expect.arrayContaining(main));
    }
    if (left !== undefined) expect(left).toBeLessThanOrEqual(agreed);
    if (type === 'installment.paid' || type === 'plan.completed') {
      expect(past('paid')).toContain(amount);
    }
    if (type === 'installment.failed') expect(past('failed', 'taken_back')).toContain(amount);
    if (credited) expect(past('credited')).toContain(credited);
    if (refunded) expect(past('refunded')).toContain(refunded);
    if (type === 'plan.charged_off') expect(past('charged_off')).toContain(left);
  }
  expect(tenant.externalId).toContain('shown-');
}

test(
  'every total shown is the sum of the listed amounts',
  async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...methods),
        fc.array(commands, { minLength: 1, maxLength: 10 }),
        fc.constantFrom('en' as const, 'es' as const),
        runAndCheck,
      ),
      { numRuns: runs, seed },
    );
    expect(screens).toBeGreaterThanOrEqual(runs / 2);
  },
  120_000 + runs * 20_000,
);

const refund =
  (amount_in_cents: number): TenantCommand =>
  async (tenant) => {
    const { settlement_id } = await tenant.read();
    await svc.call('PATCH', `/settlements/${settlement_id}`, {
      key: partner.key,
      body: { status: 'verified' },
    });
    const { status } = await svc.call('POST', `/settlements/${settlement_id}/refunds`, {
      key: partner.key,
      body: { amount_in_cents },
    });
    expect(status).toBe(200);
  };
const days =
  (count: number): TenantCommand =>
  (tenant) =>
    tenant.simulate('advance_clock', { by: `P${count}D` });
const reset: TenantCommand = (tenant) => tenant.simulate('reset');
const byHand: TenantCommand = (tenant) => tenant.change('autopay', { enabled: false });
/** Pays a part of the second payment. */
const payPart =
  (amount_in_cents: number): TenantCommand =>
  async (tenant) => {
    const { management } = (await tenant.ownPlan()).data;
    const of_in_cents = management.amounts.installments[1].left_in_cents;
    const installment_ids = [tenant.plan.installments[1].id];
    const part = { amount_in_cents, of_in_cents };
    expect((await tenant.change('pay', { installment_ids, part })).status).toBe(200);
  };
const disputed = { ...testCard, number: '4000000000002685' };
const wonInPart = { ...testCard, number: '4000000000005423' };
const reversedCard = { ...testCard, number: '4000000000000341' };

test.each([
  ['canceled with a receipt', testCard, [reset]],
  ['a credit', testCard, [refund(50_000)]],
  ['a credit, then late', testCard, [byHand, refund(50_000), days(20), days(20)]],
  [
    'a credit, then written off, then another',
    testCard,
    [byHand, refund(50_000), days(70), days(70), days(20), refund(30_000), refund(40_000)],
  ],
  [
    'written off, then refunded in full',
    testCard,
    [byHand, days(70), days(70), days(20), refund(114_009), refund(30_000)],
  ],
  [
    'a chargeback, then a credit',
    reversedCard,
    [days(5), days(20), refund(20_000), days(20), days(30)],
  ],
  [
    'a part, then late, then a credit',
    testCard,
    [byHand, payPart(10_000), days(20), payPart(2_000), refund(90_000)],
  ],
  ['a dispute won in part', wonInPart, [byHand, days(20), days(25), payPart(5_000), days(40)]],
  ['a dispute won late', disputed, [byHand, days(40), days(40), days(40), days(40), days(40)]],
] as const)('%s: the amounts agree', { timeout: 240_000 }, async (_, account, steps) => {
  await runAndCheck(account, steps, tenants % 2 === 0 ? 'en' : 'es');
});

/** The payee as the screens name it, because this portal does not send the property's name. */
async function payeeIn(frame: Frame): Promise<string> {
  const language = await frame.locator('html').getAttribute('lang');
  return (language?.startsWith('es') ? es : en).product.rent.payee;
}

const place = {
  origin: 'https://svc.example',
  secret: 'svc_ml_x',
  creditor: sandboxCreditor,
  brand: defaultBrand({ name: 'Maple Residents', pms: 'maple' }),
};
const letter = {
  id: 'mal_1',
  partnerId: 'ptn_1',
  tenantId: 'ten_1',
  pms: 'maple',
  productVariant: 'rent',
  simulated: true,
  attempts: 1,
  agreedToRecords: null,
  linkSealed: null,
  email: 'ada@example.com',
  firstName: 'Ada',
  lastName: 'Lane',
  addressedTo: { hmac: null, sha256: null },
  timeZone: 'America/Chicago',
  createdAt: new Date('2026-02-06T15:00:00Z'),
  method: null,
  portal: 'Maple Residents',
  agreement: null,
  decline: null,
  terms: defaultTerms,
} as const;

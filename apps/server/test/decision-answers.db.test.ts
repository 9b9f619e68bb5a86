import type { ServerResponse } from 'node:http';
import { sql } from '@svc/db';
import { oneRowOf, rowsOf } from '@svc/db/testing';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import type { TenantExport } from '../src/domain/privacy/export-tenant.ts';
import { decisionsLane } from '../src/jobs/ask-for-decisions.ts';
import type { OperatorRequest } from '../src/operator/administer.ts';
import { createDecisionService } from '../src/outside/decision-service.ts';
import { findText } from './find-text.ts';
import { ada, useService } from './harness.ts';
import { playTenant } from './journeys/play-tenant.ts';
import { approved, json, startDecisionDouble } from './support/decision-double.ts';
import { downloadDocument } from './support/download-document.ts';
import { readPdf } from './support/read-pdf.ts';

// The answers of an operator’s decision service, and their effects.

const double = await startDecisionDouble();
afterAll(double.close);
const svc = await useService({ underwriting: double.underwriting }, '2026-02-01T18:00:00Z');
const { key, pms } = await svc.newPartner();

async function openAs(externalId: string, body: object = ada) {
  const info = await svc.call('POST', `/tenant/portal_info/${externalId}`, { key, body });
  const who = { pms, apiKey: key, externalId, productVariant: 'rent' as const };
  return playTenant(svc, info.data.token, who);
}

async function applyAs(externalId: string, more: object = {}, cents?: number) {
  const [charge] = ada.charges;
  const body = cents ? { ...ada, charges: [{ ...charge, amount_in_cents: cents }] } : ada;
  const tenant = await openAs(externalId, body);
  await tenant.apply(500_000, more);
  return tenant;
}

/** Advances the clock, which runs the job that asks the service, until the expectation holds. */
function eventually<T>(read: () => Promise<T>) {
  return expect.poll(
    () => {
      svc.clock.advance(1_000);
      return read();
    },
    { timeout: 20_000 },
  );
}

const stepOf = async (tenant: { state: () => Promise<{ data: { step: string } }> }) =>
  (await tenant.state()).data.step;

async function administer(request: OperatorRequest): Promise<object> {
  const answer = await svc.administer(request);
  if (!answer.ok) throw new Error(answer.message);
  return answer.result;
}

function reviewOf(externalId: string) {
  return oneRowOf<{
    id: string;
    last_failure: string | null;
    attempts: number;
    military_covered: boolean | null;
    has_report: boolean;
  }>(
    svc.db,
    sql`
    select r.application_id as id, r.last_failure, r.attempts, a.military_covered,
      r.details_sealed is not null as has_report
    from review r
      join application a on a.partner_id = r.partner_id and a.id = r.application_id
      join tenant t on t.partner_id = a.partner_id and t.id = a.tenant_id
    where t.external_id = ${externalId}`,
  );
}

function outcomesOf(externalId: string) {
  return rowsOf<{ outcome: string; policy_version: string }>(
    svc.db,
    sql`
    select d.outcome, d.policy_version from decision d
      join application a on a.partner_id = d.partner_id and a.id = d.application_id
      join tenant t on t.partner_id = a.partner_id and t.id = a.tenant_id
    where t.external_id = ${externalId}`,
  );
}

const report = {
  agency: {
    name: 'Elm Credit Bureau',
    address: 'P.O. Box 7, Dover, DE 19901',
    phone: '800-555-0100',
  },
  score: {
    value: 602,
    lowest: 300,
    highest: 850,
    date: '2026-01-31',
    key_factors: [
      { en: 'Too many accounts with balances.', es: 'Demasiadas cuentas con saldo' },
      { en: 'Length of credit history is short' },
      { en: 'Amount owed on accounts is high' },
      { en: 'Serious delinquency' },
    ],
    inquiries: true,
  },
};

const declined = {
  outcome: 'declined',
  policy_version: 'p-2',
  reasons: [
    {
      code: 'D15',
      text: {
        en: 'Your credit history has a serious delinquency',
        es: 'Tu historial de crédito tiene un atraso grave',
      },
    },
    'income_too_low',
  ],
  consumer_reports: [report],
  information_from_others: true,
};

/** The sentences that each notice must have, in each language. */
const said = {
  en: [
    'Your credit history has a serious delinquency',
    'Your income is too low for the amount requested',
    'Elm Credit Bureau',
    'P.O. Box 7, Dover, DE 19901',
    '800-555-0100',
    'The agency played no part in our decision',
    'a free copy of your report from the agency, if you ask for it no later than 60 days',
    'you have the right to dispute it with the agency',
    '602',
    '300 to 850',
    'January 31, 2026',
    'Key factors that adversely affected your credit score',
    'Too many accounts with balances',
    'Serious delinquency',
    'Number of recent inquiries on your credit report',
    'the right to ask us in writing what kind of information it was, no later than 60 days',
    'Equal Credit Opportunity',
  ],
  es: [
    'Tu historial de crédito tiene un atraso grave',
    'Elm Credit Bureau',
    'La agencia no participó en nuestra decisión',
    'a más tardar 60 días después de recibir este aviso',
    'de 300 a 850',
    '31 de enero de 2026',
    'Demasiadas cuentas con saldo',
    'Length of credit history is short',
    'no los dio en español',
    'Número de consultas recientes a tu informe de crédito',
    'preguntarnos por escrito qué tipo de información era',
  ],
};

for (const locale of ['en', 'es'] as const) {
  test(`a decline names the agency, the score and the rights on the page, in the mail and in the document (${locale})`, async () => {
    const externalId = `t-score-${locale}`;
    double.answers.set(externalId, json(declined));
    const tenant = await applyAs(externalId, { locale });
    await eventually(() => stepOf(tenant)).toBe('declined');
    const { notice, application } = (await tenant.state()).data;
    expect(notice.reason_codes).toEqual(['D15', 'income_too_low']);
    const page = JSON.stringify(
      locale === 'en'
        ? { ...notice, translations: [] }
        : notice.translations.find((it: { locale: string }) => it.locale === locale),
    );
    // Marked on the page, so that a screen reader reads them in English.
    expect(JSON.parse(page).english).toEqual(
      locale === 'en'
        ? []
        : [
            'Length of credit history is short',
            'Amount owed on accounts is high',
            'Serious delinquency',
          ],
    );
    const pdf = await downloadDocument({
      url: svc.url,
      session: tenant.exchanged.data.session,
      document: `notice/${application.id}?locale=${locale}`,
    });
    const document = readPdf(pdf.bytes).text.replaceAll('\n', ' ');
    const mail = await paperOf(application.id);
    for (const words of said[locale]) {
      expect(page).toContain(words);
      expect(document).toContain(words);
      expect(mail).toContain(words);
    }
  });
}

async function paperOf(applicationId: string): Promise<string> {
  const mail = await oneRowOf<{ id: string }>(
    svc.db,
    sql`
    select id from mail
    where type = 'application.declined' and data ->> 'application_id' = ${applicationId}`,
  );
  const printed = await administer({ command: 'mail print', mail_id: mail.id });
  return (printed as { letter: string }).letter;
}

test('a person who declines after the service has looked at a report sends its notice', async () => {
  const { consumer_reports } = declined;
  double.answers.set(
    't-both',
    json({ outcome: 'in_review', policy_version: 'p-2', consumer_reports }),
  );
  const tenant = await applyAs('t-both');
  // Attempts are counted before the answer arrives.
  await eventually(async () => (await reviewOf('t-both')).has_report).toBe(true);
  const { id } = await reviewOf('t-both');
  await administer({ command: 'review decide', application_id: id, decline: ['unable_to_verify'] });
  const { notice } = (await tenant.state()).data;
  expect(notice.reasons).toEqual(['We couldn’t verify the information you gave us']);
  expect(notice.parts.map((it: { heading: string }) => it.heading)).toEqual([
    'The credit report we used',
    'Your credit score',
    'Key factors that adversely affected your credit score',
  ]);
});

test('a person approves what the service left in review', async () => {
  double.answers.set('t-person', json({ outcome: 'in_review', policy_version: 'p-2' }));
  const tenant = await applyAs('t-person');
  await eventually(async () => (await reviewOf('t-person')).attempts).toBeGreaterThan(0);
  const { id } = await reviewOf('t-person');
  await administer({ command: 'review decide', application_id: id, amount_in_cents: 200_000 });
  expect(await stepOf(tenant)).toBe('plan_choice');
});

test('a wrong answer changes nothing, and the operator reads what was wrong with it', async () => {
  const score = {
    ...report.score,
    value: 900,
    key_factors: [...report.score.key_factors, { en: 'A fifth' }],
  };
  double.answers.set('t-wrong', json({ ...declined, consumer_reports: [{ ...report, score }] }));
  const tenant = await applyAs('t-wrong');
  await eventually(async () => (await reviewOf('t-wrong')).last_failure).toContain(
    'consumer_reports.0.score.key_factors: Too big',
  );
  expect(await stepOf(tenant)).toBe('decision');
  double.answers.delete('t-wrong');
  svc.clock.advance(30_000);
  await eventually(() => stepOf(tenant)).toBe('plan_choice');
});

test('a late answer is not waited for, and the next one decides', async () => {
  const late: ServerResponse[] = [];
  double.answers.set('t-late', (response) => late.push(response));
  const tenant = await applyAs('t-late');
  await eventually(async () => (await reviewOf('t-late')).last_failure).toBe(
    'did not answer in time',
  );
  double.answers.delete('t-late');
  for (const response of late) json(declined)(response);
  svc.clock.advance(30_000);
  await eventually(() => stepOf(tenant)).toBe('plan_choice');
  expect(await outcomesOf('t-late')).toEqual([{ outcome: 'approved', policy_version: 'p-1' }]);
});

test('of two answers to one question the first one decides', async () => {
  const open: ServerResponse[] = [];
  double.answers.set('t-twice', (response) => open.push(response));
  const tenant = await applyAs('t-twice');
  await eventually(async () => open.length).toBe(1);
  // Another process asks too, as after a lost answer.
  const clock = { ...svc.clock, after: () => () => {} };
  await svc.db.run(sql`
    update review r set due_at = ${svc.clock.now()} from application a, tenant t
    where a.partner_id = r.partner_id and a.id = r.application_id
      and t.partner_id = a.partner_id and t.id = a.tenant_id and t.external_id = 't-twice'`);
  const other = decisionsLane({
    db: svc.db,
    clock: svc.clock,
    log: { info() {}, warn() {}, error() {} },
    service: svc.service,
    decisions: createDecisionService(clock, double.underwriting),
  });
  const batch = other.batch(new AbortController().signal);
  await eventually(async () => open.length).toBe(2);
  const [first, second] = open;
  if (!first || !second) expect.unreachable('the service was not asked twice');
  json(declined)(second);
  await batch;
  json(approved)(first);
  await eventually(() => stepOf(tenant)).toBe('declined');
  expect(await outcomesOf('t-twice')).toEqual([{ outcome: 'declined', policy_version: 'p-2' }]);
});

describe('a borrower covered by the Military Lending Act', () => {
  const covered = { ...approved, approved_amount_in_cents: 500_000, military_covered: true };
  const phone = '800-555-0100';
  const setPhone = (militaryPhone: string | null) => Object.assign(svc.service, { militaryPhone });
  const large = 4_500_00;

  async function approvedAs(externalId: string, cents?: number) {
    double.answers.set(externalId, json(covered));
    const tenant = await applyAs(externalId, {}, cents);
    await eventually(() => stepOf(tenant)).not.toBe('decision');
    return tenant;
  }

  test('gets the plans at 36 % or less, with the disclosures on the screen and in the agreement', async () => {
    setPhone(phone);
    const tenant = await approvedAs('t-covered', large);
    await tenant.pay();
    const { step, military } = (await tenant.state()).data;
    expect(step).toBe('plan_choice');
    expect(military.paragraphs[0]).toContain(
      'may not exceed an annual percentage rate of 36 percent. This rate must include',
    );
    expect(military.paragraphs[1]).toContain(phone);
    expect(military.translations[0].paragraphs[1]).toContain(`llama al ${phone}`);
    const { items } = (await tenant.quotes()).data;
    expect(items.length).toBeGreaterThan(0);
    for (const { apr_bps, disclosure } of items) {
      expect(apr_bps).toBeLessThan(3600);
      for (const { text } of [disclosure, ...disclosure.translations]) {
        expect(text).toContain('MILITARY LENDING ACT');
        expect(text).toContain(phone);
      }
    }
    expect((await tenant.accept(items[0])).data.state.step).toBe('done');
  });

  test('is offered nothing above it, and the portal does not learn why', async () => {
    setPhone(phone);
    const tenant = await approvedAs('t-covered-small');
    expect((await tenant.state()).data).toMatchObject({
      step: 'blocked',
      eligibility: { state: 'blocked', reason: 'cost_above_limit' },
      military: { heading: 'Military Lending Act' },
    });
    const bodies = await rowsOf<{ body: object }>(
      svc.db,
      sql`select body::json -> 'data' as body from webhook_messages where subject = 't-covered-small'`,
    );
    expect(bodies.length).toBeGreaterThan(1);
    expect(JSON.stringify(bodies)).not.toMatch(/military|covered/);
  });

  test('is offered nothing without a number to hear the disclosures', async () => {
    setPhone(null);
    const tenant = await approvedAs('t-covered-mute', large);
    expect((await tenant.state()).data).toMatchObject({
      step: 'blocked',
      eligibility: { reason: 'cost_above_limit' },
    });
    setPhone(phone);
    expect(await stepOf(tenant)).toBe('plan_choice');
  });

  test('stays covered when a person approves, unless the person has looked it up again', async () => {
    setPhone(phone);
    const left = { outcome: 'in_review', policy_version: 'p-2', military_covered: true };
    for (const [externalId, more, step] of [
      ['t-kept', {}, 'blocked'],
      ['t-again', { military: 'no' }, 'plan_choice'],
    ] as const) {
      double.answers.set(externalId, json(left));
      const tenant = await applyAs(externalId);
      await eventually(async () => (await reviewOf(externalId)).military_covered).toBe(true);
      await administer({
        command: 'review decide',
        application_id: (await reviewOf(externalId)).id,
        amount_in_cents: 200_000,
        ...more,
      });
      expect(await stepOf(tenant)).toBe(step);
    }
  });
});

describe('where a military look-up is required', () => {
  const require = (needsMilitaryLookup: boolean) =>
    Object.assign(svc.service, { needsMilitaryLookup });
  afterEach(() => void require(false));
  const failure =
    'the answer is not a valid decision (military_covered: must be true or false in an approval)';

  test.each([
    ['false', false, 'plan_choice'],
    ['true', true, 'blocked'],
  ])(
    'an approval without it is asked for again until it says %s',
    async (name, isCovered, step) => {
      require(true);
      const externalId = `t-lookup-${name}`;
      double.answers.set(externalId, json(approved));
      const tenant = await applyAs(externalId);
      await eventually(async () => (await reviewOf(externalId)).last_failure).toBe(failure);
      expect(await stepOf(tenant)).toBe('decision');
      expect(await outcomesOf(externalId)).toEqual([]);
      double.answers.set(externalId, json({ ...approved, military_covered: isCovered }));
      svc.clock.advance(30_000);
      await eventually(() => stepOf(tenant)).toBe(step);
    },
  );

  test('an earlier answer counts, and a decline needs none', async () => {
    require(true);
    const left = { outcome: 'in_review', policy_version: 'p-2', military_covered: false };
    double.answers.set('t-found', json(left));
    const found = await applyAs('t-found');
    await eventually(async () => (await reviewOf('t-found')).military_covered).toBe(false);
    double.answers.set('t-found', json(approved));
    svc.clock.advance(30_000);
    await eventually(() => stepOf(found)).toBe('plan_choice');
    double.answers.set('t-refused', json(declined));
    const refused = await applyAs('t-refused');
    await eventually(() => stepOf(refused)).toBe('declined');
  });

  test('a person approves only with the result', async () => {
    require(true);
    double.answers.set('t-by-person', json({ outcome: 'in_review', policy_version: 'p-2' }));
    const tenant = await applyAs('t-by-person');
    const { id: application_id } = await reviewOf('t-by-person');
    const decide = { command: 'review decide', application_id, amount_in_cents: 200_000 } as const;
    await expect(administer(decide)).rejects.toThrow('--military-covered yes or no');
    expect(await stepOf(tenant)).toBe('decision');
    await administer({ ...decide, military: 'no' });
    expect(await stepOf(tenant)).toBe('plan_choice');
  });
});

test('the sources of a decline are encrypted, exported and erased with the tenant', async () => {
  expect(await findText(svc.db, 'Elm Credit Bureau')).toEqual([]);
  double.answers.set('t-erased', json(declined));
  const tenant = await applyAs('t-erased');
  await eventually(() => stepOf(tenant)).toBe('declined');
  const exported = (await administer({
    command: 'tenant export',
    pms,
    external_id: 't-erased',
  })) as TenantExport;
  expect(exported.tables.decision).toMatchObject([
    { details: { consumer_reports: [{ agency: { name: 'Elm Credit Bureau' } }] } },
  ]);
  await administer({ command: 'tenant erase', pms, external_id: 't-erased' });
  const left = await oneRowOf<{ reasons: string[]; details_sealed: Buffer | null }>(
    svc.db,
    sql`
    select d.reasons, d.details_sealed from decision d
      join application a on a.partner_id = d.partner_id and a.id = d.application_id
    where a.tenant_id = ${exported.tenant_id}`,
  );
  expect(left).toEqual({ reasons: ['D15', 'income_too_low'], details_sealed: null });
});

test('without an answer the application is declined when its rent cycle closes', async () => {
  double.answers.set('t-silent', (response) => response.destroy());
  const tenant = await applyAs('t-silent');
  await eventually(async () => (await reviewOf('t-silent')).last_failure).not.toBeNull();
  expect(await stepOf(tenant)).toBe('decision');
  svc.clock.advance(10 * 86_400_000);
  await eventually(async () => {
    const { state } = await oneRowOf<{ state: string }>(
      svc.db,
      sql`
      select a.state from application a join tenant t on t.partner_id = a.partner_id and t.id = a.tenant_id
      where t.external_id = 't-silent'`,
    );
    return state;
  }).toBe('declined');
  expect(await outcomesOf('t-silent')).toEqual([
    { outcome: 'declined', policy_version: 'not-decided' },
  ]);
  // The tenant who comes back for the decision finds the notice, not only that it is too late.
  expect((await openAs('t-silent')).exchanged.data).toMatchObject({
    step: 'declined',
    eligibility: { state: 'cycle_closed' },
    notice: { reason_codes: ['unable_to_verify'] },
  });
});

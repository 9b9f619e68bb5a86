import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { agreementProblems, fillAgreement } from './agreement-template.ts';
import { firstDayToCome, parseTerms } from './apply-terms.ts';
import { type Program, resolveTerms } from './program-terms.ts';
import {
  builtInTermsByVersion,
  defaultTermsVersion,
  type ProgramTerms,
  programTerms,
  toTerms,
} from './terms.ts';
import { stateCode } from './us-states.ts';

const terms = builtInTermsByVersion[defaultTermsVersion] as ProgramTerms;

function program(
  version: string,
  isOfPartner: boolean,
  state: string | null,
  effectiveFrom: string,
): Program {
  return { version, isOfPartner, state, effectiveFrom, terms: toTerms(version, terms) };
}

test('the built-in terms of a released version never change: plans refer to them by name', () => {
  const sha256 = createHash('sha256').update(JSON.stringify(terms)).digest('hex');
  expect({ [defaultTermsVersion]: sha256 }).toEqual({
    'default-2026-11': 'b13fbd52abcabf59252fecc3c0a9f14f14cc0b4eb4159ce2d86a5ac97d386db9',
  });
  expect(programTerms.parse(terms)).toEqual(terms);
});

test('a rent cycle is open for less than the 30 days in which an applicant must learn the outcome', () => {
  const most = (field: 'opens_days_before' | 'closes_days_after') => {
    let days = 0;
    while (programTerms.safeParse({ ...terms, [field]: days + 1 }).success) days += 1;
    return days;
  };
  expect(most('opens_days_before') + 1 + most('closes_days_after')).toBeLessThan(30);
});

test.each([
  ['TX', '2027-01-01', 'both'],
  ['CA', '2027-01-01', 'partner'],
  [null, '2027-01-01', 'partner'],
  // The partner's versions begin in 2027.
  ['TX', '2026-12-31', 'state'],
  ['CA', '2026-12-31', 'all'],
  ['CA', '2025-12-31', defaultTermsVersion],
])('in %s on %s the version "%s" applies', (state, today, version) => {
  const programs = [
    program('all', false, null, '2026-01-01'),
    program('partner', true, null, '2027-01-01'),
    program('both', true, 'TX', '2027-01-01'),
    program('state', false, 'TX', '2026-01-01'),
  ];
  expect(resolveTerms(programs, { state, today }).version).toBe(version);
  expect(resolveTerms(programs.toReversed(), { state, today }).version).toBe(version);
});

test('of versions for the same tenants, the latest in effect applies, then the newest', () => {
  const programs = [
    program('trm_1', true, null, '2027-02-01'),
    program('trm_2', true, null, '2027-01-01'),
    program('trm_3', true, null, '2027-01-01'),
  ];
  const on = (today: string) => resolveTerms(programs, { state: null, today }).version;
  expect([on('2027-01-31'), on('2027-02-01')]).toEqual(['trm_3', 'trm_1']);
});

test.each([
  ['TX', 'TX'],
  [' tx', 'TX'],
  ['Texas', 'TX'],
  ['new  york', 'NY'],
  ['D.C.', null],
  ['District of Columbia', 'DC'],
  ['Ontario', null],
  ['', null],
  [null, null],
  ['constructor', null],
])('a portal that reports the state %j means %j', (text, code) => {
  expect(stateCode(text)).toBe(code);
});

test.each([
  [{}, 300_00],
  [{ fee_in_cents: 0 }, 50_00],
  [{ fee_in_cents: 5_00 }, 50_00],
  [{ fee_in_cents: 33_33 }, 333_30],
  [{ fee_share_percent: 7 }, 428_58],
  [{ fee_share_percent: 25, minimum_in_cents: 100_00 }, 120_00],
  [{ minimum_in_cents: 400_00 }, 400_00],
])('under %j the smallest amount is %i', (change, smallest) => {
  expect(toTerms('other', { ...terms, ...change }).minimumInCents).toBe(smallest);
});

test('the earliest effective day has begun nowhere', () => {
  // 23:59 of the 23rd and 0:00 of the 24th at UTC+14.
  expect(firstDayToCome(new Date('2026-11-23T09:59:59Z'))).toBe('2026-11-24');
  expect(firstDayToCome(new Date('2026-11-23T10:00:00Z'))).toBe('2026-11-25');
});

test.each<[string, object, string]>([
  ['a missing field', { fee_in_cents: undefined }, 'fee_in_cents: must be a whole number of cents'],
  ['dollars', { fee_in_cents: 29.5 }, 'fee_in_cents: must be a whole number of cents from 0 to'],
  ['text', { minimum_in_cents: '5000' }, 'minimum_in_cents: must be a whole number'],
  ['an unknown field', { late_fee_in_cents: 500 }, 'late_fee_in_cents: is no field'],
  ['one payment', { installment_counts: [1, 2] }, 'installment_counts[0]: must be a whole number'],
  ['a mixed order', { installment_counts: [4, 2] }, 'installment_counts: must be in ascending'],
  ['no payments', { installment_counts: [] }, 'installment_counts: must name at least one'],
  ['three retries', { retry_after_days: [1, 3, 5] }, 'retry_after_days: must have at most 2'],
  ['crossed limits', { minimum_in_cents: 600_000 }, 'maximum_in_cents: must be at least minimum'],
  [
    'a fee that no amount allows',
    { maximum_in_cents: 299_99 },
    'maximum_in_cents: must be at least 30000: the fee of 3000 is more than 10 % of a smaller amount',
  ],
  ['a share', { fee_share_percent: 26 }, 'fee_share_percent: must be a whole number of percent'],
  ['an early end', { charge_off_after_days: 30 }, 'charge_off_after_days: must be more than past'],
  ['no space', { installment_counts: [12], days_apart: 3 }, 'span_days: must be at least 36'],
  ['a foreign reason', { decline_reasons: ['age'] }, 'decline_reasons[0]: must be one of income'],
  ['a text', { plan_starts: 'soon' }, 'plan_starts: must be first_payment_succeeded or'],
  [
    'a missing language',
    { documents: { agreement: { rent: { en: 'A\n\nB' } } } },
    'documents.agreement.rent.es: must be text',
  ],
  [
    'a missing reason',
    { documents: { decline_notice: { en: { reasons: {}, rights: 'x' } } } },
    'documents.decline_notice.en.reasons.income_too_low: must be text',
  ],
])('terms with %s are refused with the field', (_, change, message) => {
  const file = JSON.parse(JSON.stringify({ ...terms, ...change }));
  expect(() => parseTerms(file)).toThrow(message);
});

test.each([[null], [[]], ['text'], [4]])('%j are no terms', (file) => {
  expect(() => parseTerms(file)).toThrow('the file: must be an object');
});

test('all wrong fields are named at once', () => {
  const wrong = () => parseTerms({ ...terms, fee_in_cents: -1, days_apart: 0 });
  expect(wrong).toThrow(/fee_in_cents: [\s\S]*days_apart: /);
});

const template = `AGREEMENT

Plan: {plan_number}
Signed: {signed_on}
Borrower: {borrower}
Home: {home}
Lender: {creditor_name}, {creditor_address}, {support_email}

{apr} {finance_charge} {amount_financed} {total_of_payments} {fee} {first_payment} {account}

{payments}

{debit_by} {retries} {past_due_days} {charge_off_days}`;

const values = Object.fromEntries(
  [...template.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => [name, `<${name}>`]),
) as Parameters<typeof fillAgreement>[1];

test('a template with every required placeholder is filled in', () => {
  expect(agreementProblems(template)).toEqual([]);
  const text = fillAgreement(template, values);
  expect(text).toContain('Home: <home>\nLender: <creditor_name>, <creditor_address>');
  expect(text).not.toMatch(/[{}]/);
});

test('without a home its line is left out; a value with braces is not filled in again', () => {
  const text = fillAgreement(template, { ...values, home: null, borrower: '{apr} $& $1' });
  expect(text).toContain('Borrower: {apr} $& $1\nLender: ');
  expect(text).not.toContain('Home');
});

test('a license is in the agreement, also if the text has no place for it', () => {
  const license = 'Texas license 1700012345';
  const own = template.replace('{creditor_name}', '{creditor_name} ({license})');
  expect(fillAgreement(own, { ...values, license })).toContain(`<creditor_name> (${license})`);
  const text = fillAgreement(template, { ...values, license });
  expect(text).toMatch(/^Lender: <creditor_name>.*\nTexas license 1700012345$/m);
  expect(fillAgreement(template, { ...values, license: null })).not.toContain('license');
});

test.each([
  ['an unknown placeholder', `${template} {rent}`, 'has the unknown placeholder {rent}'],
  ['a prototype’s name', `${template} {constructor}`, 'the unknown placeholder {constructor}'],
  ['a missing placeholder', template.replace('{apr}', ''), 'must contain {apr}'],
  ['a stray brace', `${template} {Fee}`, 'a brace that belongs to no placeholder'],
  ['a control character', `${template}\u0007`, 'has a control character'],
  ['no heading', template.replace('AGREEMENT\n\n', ''), 'must begin with a heading'],
])('a template with %s is refused', (_, text, problem) => {
  expect(agreementProblems(text).join('\n')).toContain(problem);
});

import { sdkErrorCatalog } from '@svc/contract';
import { defaultTuning } from '@svc/webhooks';
import { expect, test } from 'vitest';
import type { Service } from '../../context.ts';
import { sandboxCreditor } from '../../creditor.ts';
import { toCharge } from '../../domain/charges/charge.ts';
import { currentCycle, cycleEdges } from '../../domain/charges/rent-cycle.ts';
import { checkContainer } from '../../domain/doctor/check-page.ts';
import { unlimited } from '../../domain/lending/lending-rules.ts';
import { computeQuotes } from '../../domain/offers/quote.ts';
import { workHour } from '../../domain/partners/operating-hours.ts';
import { defaultTerms as terms } from '../../domain/partners/terms.ts';
import { debitBy, nextBankingDay } from '../../domain/tenants/banking-days.ts';
import { addDays, hourOf } from '../../domain/tenants/calendar.ts';
import type { TenantTime } from '../../domain/tenants/time.ts';
import { routes } from '../routes.ts';
import { openApiDocument } from './openapi.ts';

// The examples of the reference tell one story: on 1 February 2026, a tenant in Austin splits $1,520.12
// that is due that day into four payments. Each number that follows from a rule is what the code says.

const timeZone = 'America/Chicago';
const dueDate = '2026-02-01';
const at = new Date('2026-02-01T18:00:00.000Z') as TenantTime;

const service = { environment: 'sandbox', publicOrigin: 'http://localhost:4000' } as Service;
const document = JSON.parse(JSON.stringify(openApiDocument(routes, service))) as object;
const examples = examplesIn(document);

type Fields = Readonly<Record<string, unknown>>;

/** Every example of the document, and the objects in it. The fields of a schema are an example together. */
function examplesIn(node: unknown): Fields[] {
  if (typeof node !== 'object' || node === null) return [];
  if (Array.isArray(node)) return node.flatMap(examplesIn);
  const { properties = {} } = node as { properties?: Record<string, Fields> };
  const fields = Object.entries(properties)
    .filter(([, it]) => Array.isArray(it.examples))
    .map(([name, it]) => [name, (it.examples as unknown[])[0]] as const);
  const inside = Object.entries(node).flatMap(([key, value]) => {
    if (key !== 'examples') return examplesIn(value);
    if (Array.isArray(value)) return value.flatMap(objectsIn);
    return Object.values(value as object).flatMap((it) => objectsIn((it as Fields).value));
  });
  return fields.length === 0 ? inside : [Object.fromEntries(fields), ...inside];
}

function objectsIn(value: unknown): Fields[] {
  if (typeof value !== 'object' || value === null) return [];
  const inside = Object.values(value).flatMap(objectsIn);
  return Array.isArray(value) ? inside : [value as Fields, ...inside];
}

/** The examples that have all of these fields; there is at least one. */
function having(...fields: readonly string[]): Fields[] {
  const found = examples.filter((it) => fields.every((field) => it[field] !== undefined));
  expect(found.length, fields.join()).toBeGreaterThan(0);
  return found;
}

/** Compares the fields of `expected` in each example, and shows all differences at once. */
function expectEach(found: readonly Fields[], expected: Fields): void {
  const seen = found.map((it) => Object.fromEntries(Object.keys(expected).map((k) => [k, it[k]])));
  expect(seen).toEqual(seen.map(() => expected));
}

test('a cycle opens and closes on the days of the terms', () => {
  const [opens, closes] = cycleEdges(dueDate, { timeZone, terms });
  expectEach(having('opens_at', 'closes_at'), {
    due_date: dueDate,
    opens_at: opens?.toISOString(),
    closes_at: closes?.toISOString(),
    is_open: true,
  });
  expectEach(having('approved_amount_in_cents', 'expires_at'), {
    expires_at: closes?.toISOString(),
  });
});

test('a plan has the payments, the fee and the rate of its quote', () => {
  const charge = toCharge(
    { id: 'C-1', due_date: dueDate, amount_in_cents: 152012, amount_paid_in_cents: 0 },
    'rent',
  );
  const cycle = currentCycle({ charges: [charge], simulatedDate: null, at, timeZone, terms });
  if (!cycle) throw new Error('an unpaid charge belongs to a cycle');
  const offers = computeQuotes({
    applicationId: 'app_1',
    planId: 'pln_1',
    signer: { name: 'Ada Lane', home: null },
    variant: 'rent',
    creditor: sandboxCreditor,
    method: null,
    paydays: null,
    warnings: [],
    cycle,
    at,
    timeZone,
    terms,
    lending: unlimited,
  });
  const offer = offers.find((it) => it.installment_count === 4);
  expectEach(having('apr_bps', 'installments'), {
    amount_financed_in_cents: 152012,
    fee_in_cents: offer?.fee_in_cents,
    apr_bps: offer?.apr_bps,
  });
  expectEach(having('total_of_payments_in_cents'), {
    total_of_payments_in_cents: offer?.total_of_payments_in_cents,
  });
  const payments = offer?.installments ?? [];
  for (const { installments } of having('apr_bps', 'installments')) {
    expect(installments).toEqual(payments.map((it) => expect.objectContaining(it)));
  }
  // One payment alone, such as in an event about it. A payment that was moved has another date.
  const alone = having('number', 'due_date', 'amount_in_cents').filter((it) => !('from' in it));
  for (const it of alone) {
    expect(it).toMatchObject({ ...payments.find(({ number }) => number === it.number) });
  }
  for (const { from, number } of having('from', 'to')) {
    if (number) expect(from).toBe(payments.find((it) => it.number === number)?.due_date);
  }
});

test('dates that follow from another one keep the distance that the rules set', () => {
  expectEach(having('debit_by'), { debit_by: debitBy(at, timeZone) });
  expectEach(having('reapply_after'), {
    reapply_after: addDays('2026-02-01', terms.reapplyAfterDays),
  });
  for (const { due_date, next_attempt_at } of having('return_code', 'next_attempt_at')) {
    const day = nextBankingDay(addDays(String(due_date), terms.retryAfterDays[0] ?? 0));
    expect(next_attempt_at).toBe(hourOf(day, workHour, timeZone).toISOString());
  }
  for (const { failing_since, disables_at } of having('failing_since', 'disables_at')) {
    if (failing_since === null) expect(disables_at).toBeNull();
    else expect(timeBetween(failing_since, disables_at)).toBe(defaultTuning.disableAfterMs);
  }
  for (const it of having('attempt', 'max_attempts', 'next_attempt_at')) {
    const wait = (defaultTuning.retrySchedule[1] ?? 0) + Math.floor(Number(it.duration_in_ms));
    expect(it).toMatchObject({ attempt: 1, max_attempts: defaultTuning.retrySchedule.length });
    expect(timeBetween(it.started_at, it.next_attempt_at)).toBe(wait);
  }
});

function timeBetween(from: unknown, to: unknown): number {
  return new Date(String(to)).getTime() - new Date(String(from)).getTime();
}

test('a tenant with an open plan is not asked to apply', () => {
  for (const { eligibility, plan } of having('eligibility', 'plan')) {
    expect((eligibility as Fields).state === 'has_plan').toBe(plan !== null);
  }
});

test('a diagnosis has errors of the SDK, and a container that is large enough', () => {
  for (const { code, error_code } of having('code', 'error_code')) {
    const known = sdkErrorCatalog[error_code as keyof typeof sdkErrorCatalog];
    expect(known?.code, String(error_code)).toBe(code);
  }
  for (const { width, height } of having('width', 'height').filter((it) => !('url' in it))) {
    const container = { width: Number(width), height: Number(height) };
    expect(checkContainer(service, { container }).status).toBe('pass');
  }
});

test('totals are the sums of what they list', () => {
  for (const { amount_in_cents, line_count, lines } of having('line_count', 'lines')) {
    const amounts = (lines as Fields[]).map((it) => Number(it.amount_in_cents));
    expect(amounts).toHaveLength(Number(line_count));
    expect(amounts.reduce((sum, it) => sum + it, 0)).toBe(amount_in_cents);
  }
  for (const { amount_in_cents, charges_and_amounts_paid } of having('charges_and_amounts_paid')) {
    const amounts = (charges_and_amounts_paid as Fields[]).map((it) => Number(it.amount_in_cents));
    expect(amounts.reduce((sum, it) => sum + it, 0)).toBe(amount_in_cents);
  }
});

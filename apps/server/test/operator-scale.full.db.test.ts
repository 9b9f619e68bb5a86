import { queueNames } from '@svc/contract/operator';
import { type Sql, sql } from '@svc/db';
import { beforeAll, expect, test } from 'vitest';
import { recountTotals } from '../src/domain/ledger/day-totals.ts';
import { readPersonalQuery } from '../src/domain/tenants/search-hashes.ts';
import type { PolicyFacts } from '../src/domain/underwriting/policy.ts';
import { operatorRoutes } from '../src/http/operator/routes.ts';
import { firstIdAt } from '../src/ids.ts';
import { ada, useService } from './harness.ts';
import { withPlan } from './journeys/with-plan.ts';
import { signInOperator } from './support/sign-in-operator.ts';

// What an operator reads stays fast with many tenants of 20 partners. SVC_OPERATOR_TENANTS=1000000 checks the
// console's promise, which takes some minutes: 300 ms for a search, a tenant's page and a queue.

const tenants = Number(process.env.SVC_OPERATOR_TENANTS ?? 50_000);
/** The limit for a search, a tenant's page, a queue, and every other page that lists or shows something. */
const limitMs = 300;
/**
 * The limit for reports and pages of the books, which add up all plans or the whole ledger. One of their statements
 * may take 60 s.
 */
const limitMsOfSums = 10_000;

const svc = await useService();
const partner = await svc.newPartner();
const admin = await signInOperator(svc, { role: 'admin' });
const person = { ...ada, first_name: 'Gracelyn', last_name: 'Hopperton', email: 'g@navy.example' };
const today = '2026-01-20';
const bank = 'Scale Bank';
const facts = {
  amount_in_cents: 100_000,
  monthly_income_in_cents: 500_000,
  age_in_years: 40,
  lease_age_in_days: 400,
  unpaid_plans: 0,
} satisfies PolicyFacts;

/** The last year, because reports find months by the time in an id. Later rows have later ids. */
const days = Array.from({ length: 354 }, (_, day) => {
  const at = new Date(Date.parse(today) - (354 - day) * 86_400_000);
  return { day: at.toISOString().slice(0, 10), time: firstIdAt('pln', at).slice(4) };
});
const [firstDay] = days;

/** The id of the row `n` of the table `person`, which has a row for each tenant. */
const id = (prefix: string) => sql`${`${prefix}_`} || suffix`;
/** Returns the id that `id` makes in SQL for row `n`. */
const idOf = (prefix: string, n: number) =>
  `${prefix}_${days[Math.floor(((n - 1) * days.length) / tenants)]?.time}${n.toString(16).padStart(16, '0')}`;

beforeAll(async () => {
  await withPlan(svc, partner, 't-real');
  await svc.call('POST', '/tenant/portal_info/t-real', { key: partner.key, body: person });
  const others = [];
  for (let count = 1; count < 20; count += 1) others.push(await svc.newPartner());
  const partnerIds = [partner, ...others].map((it) => it.id);
  // One in a hundred has the most frequent word.
  const [[frequent] = []] = readPersonalQuery(svc.service.vault, 'smith')?.hashes ?? [];
  const of = sql`partner_id, ${id('ten')}`;
  const rows = sql`from person`;
  const accounts = ['cash', 'fee_income', 'partner_payable', 'processing_cost'];
  const account = (kind: string) => sql`'acc_' || lpad(${kind} || n % 20, 26, '0')`;
  const seal = Buffer.alloc(32);
  await svc.db.transaction(
    async (tx) => {
      // Rows of the other tables, to which these would refer, are not needed.
      if (tx.cluster) await tx.run(sql`set local citus.propagate_set_commands = 'local'`);
      await tx.run(sql`set local session_replication_role = replica`);
      await tx.run(sql`
        create temporary table person on commit drop as
        select n, p.id as partner_id, d.day::date, d.time || lpad(to_hex(n), 16, '0') as suffix
        from generate_series(1, ${tenants}::integer) n
          join unnest(${partnerIds}::text[]) with ordinality p(id, place) on p.place = 1 + n % 20
          join unnest(${days.map((it) => it.day)}::text[], ${days.map((it) => it.time)}::text[])
            with ordinality d(day, time, place)
            on d.place = 1 + (n - 1) * ${days.length}::int8 / ${tenants}::int8
        order by n`);
      await tx.run(sql`
        insert into tenant (partner_id, id, external_id, search_hashes, eligibility_state,
          created_at, updated_at)
        select ${of}, 't-' || n, array[(hashint4(n) & 1048575), (hashint4(n + 1) & 1048575),
            (hashint4(n * 7) & 1048575), case when n % 100 = 0 then ${frequent ?? 0}::integer
              else (hashint4(n * 3) & 1048575) end],
          'nothing_due', now(), now() ${rows}`);
      await tx.run(sql`
        insert into payment_method (partner_id, tenant_id, id, type, details_sealed, last4, created_at)
        select ${of}, ${id('pmt')}, 'bank_account', '', lpad((n % 10000)::text, 4, '0'), now() ${rows}`);
      await tx.run(sql`
        insert into application (partner_id, tenant_id, id, product_variant, rent_cycle_date, state,
          date_of_birth_sealed, monthly_income_in_cents, amount_in_cents, approved_amount_in_cents,
          expires_at, submitted_at, decided_at, created_at)
        select ${of}, ${id('app')}, 'rent', date '2026-02-01',
          case when n % 5000 = 0 then 'in_review' else 'approved' end, '', 500000, 100000,
          case when n % 5000 <> 0 then 100000 end, timestamptz '2026-02-01', now(), now(), now() ${rows}`);
      await tx.run(sql`
        insert into review (partner_id, application_id, facts, due_at)
        select partner_id, ${id('app')}, ${JSON.stringify(facts)}::jsonb, timestamptz '2026-01-21' ${rows} where n % 5000 = 0`);
      await tx.run(sql`
        insert into plan (partner_id, tenant_id, id, application_id, payment_method_id,
          product_variant, rent_cycle_date, state, past_due_since, principal_in_cents, fee_in_cents, apr_bps,
          disclosure_text, disclosure_sha256, quote_id, consent, accepted_at, created_at)
        select ${of}, ${id('pln')}, ${id('app')}, ${id('pmt')}, 'rent', date '2026-01-01' + n % 28,
          case when n % 33 = 0 then 'past_due' when n % 500 = 1 then 'charged_off' else 'active' end,
          case when n % 33 = 0 then date '2026-01-01' + n % 28 end, 100000, 0, 0, '', ${seal}, 'q', '{}', now(), day ${rows}`);
      await tx.run(sql`
        insert into plan_history (partner_id, plan_id, id, kind, amount_in_cents, occurred_at, created_at)
        select partner_id, ${id('pln')}, ${id('hst')},
          case when n % 500 = 1 then 'charged_off' else 'accepted' end, 25000, day, day ${rows}`);
      await tx.run(sql`
        insert into installment (partner_id, plan_id, id, number, due_date, amount_in_cents, state,
          agreed_in_cents)
        select partner_id, ${id('pln')}, ${id('ins')} || k, k, date '2026-01-01' + n % 28, 25000,
          case when k = 2 and n % 33 = 0 then 'overdue' when k = 2 and n % 20 = 0 then 'failed'
            else 'scheduled' end, 25000
        ${rows}, generate_series(1, 2) k`);
      await tx.run(sql`
        insert into payment (partner_id, installment_id, id, attempt, amount_in_cents, outcome,
          return_code, occurred_at, created_at)
        select partner_id, ${id('ins')} || 2, ${id('pay')}, 1, 25000,
          case when n % 20 = 0 then 'failed' else 'succeeded' end,
          case when n % 20 = 0 then 'R01' end, day, day ${rows}`);
      await tx.run(sql`
        insert into processor_call (partner_id, key, tenant_id, kind, processor, payment_id,
          payment_method_id, source_id, amount_in_cents, occasion, state, return_code, check_at,
          created_at, updated_at)
        select partner_id, ${id('pay')}, ${id('ten')},
          case when n % 1000 = 7 then 'refund' else 'charge' end, 'simulator', ${id('pay')},
          ${id('pmt')}, ${id('pln')}, 25000, case when n % 1000 <> 7 then 'scheduled' end,
          case when n % 10000 = 0 then 'unknown' when n % 1000 = 7 then 'failed'
            when n % 10 = 0 then 'processing' else 'succeeded' end,
          case when n % 1000 = 7 then 'R02' end, case when n % 10 = 0 then timestamptz '2027-01-01' end, now(), now() ${rows}`);
      await tx.run(sql`
        insert into mail (partner_id, tenant_id, id, type, data, product_variant, simulated, attempts,
          sent_at, bounced_at, created_at)
        select ${of}, ${id('mal')}, 'plan.completed', '{}', 'rent', false,
          case when n % 2000 = 0 then 6 else 1 end,
          case when n % 2000 <> 0 then now() end,
          case when n % 3000 = 1 then now() end, now() ${rows}`);
      await tx.run(sql`
        insert into settlement (partner_id, tenant_id, id, plan_id, status, amount_in_cents,
          rent_cycle_date, debit_by, stale_after, created_at, updated_at)
        select ${of}, ${id('stl')}, ${id('pln')}, case when n % 5000 = 0 then 'returned' else 'verified' end,
          100000, day, day, day, day, day ${rows}`);
      await tx.run(sql`
        insert into payout (partner_id, id, method, status, day, amount_in_cents, line_count,
          destination, failure_reason, created_at, updated_at)
        select partner_id, ${id('pyt')}, 'credit', case when n % 5000 = 0 then 'failed' else 'paid' end,
          day, 100000, 1, 'bank', case when n % 5000 = 0 then 'R03' end, day, day ${rows} where n % 100 = 0`);
      await tx.run(sql`
        insert into payout_line (partner_id, payout_id, number, kind, source_id, amount_in_cents, released)
        select partner_id, ${id('pyt')}, 1, 'settlement', ${id('stl')}, 100000, n % 5000 = 0
        ${rows} where n % 100 = 0`);
      // Two transfers of each tenant: what is owed, and its payment with the fee.
      for (const kind of accounts) {
        await tx.run(sql`
          insert into ledger_account (partner_id, id, kind)
          select distinct partner_id, ${account(kind)}, ${kind} ${rows} on conflict do nothing`);
      }
      await tx.run(sql`
        insert into ledger_account (partner_id, tenant_id, id, kind)
        select ${of}, ${id('acc')}, 'tenant_receivable' ${rows}`);
      await tx.run(sql`
        insert into ledger_transfer (partner_id, id, kind, source_id, occurred_at, created_at)
        select partner_id, ${id('trf')} || k, case k when 1 then 'plan' else 'payment' end,
          case k when 1 then ${id('pln')} else ${id('pay')} end, day + interval '12 hours',
          day + interval '12 hours'
        ${rows}, generate_series(1, 2) k`);
      const entry = (k: number, to: Sql, cents: number) =>
        tx.run(sql`
        insert into ledger_entry (partner_id, transfer_id, account_id, amount_in_cents)
        select partner_id, ${id('trf')} || ${String(k)}, ${to}, ${cents}::int8 ${rows}`);
      await entry(1, id('acc'), 103_000);
      // A partner with a real plan has accounts already. A cluster does not join its tables with a temporary one.
      await tx.run(sql`
        create temporary table partner_account on commit drop as
        select partner_id, id, kind from ledger_account where tenant_id is null`);
      const accountOf = (kind: string) => sql`(select a.id from partner_account a
        where a.partner_id = person.partner_id and a.kind = ${kind})`;
      await entry(1, accountOf('partner_payable'), -100_000);
      await entry(1, accountOf('fee_income'), -3_000);
      await entry(2, accountOf('cash'), 25_000);
      await entry(2, id('acc'), -25_000);
      await tx.run(sql`
        insert into book_item (partner_id, transfer_id, account_id, ledger_account, kind,
          amount_in_cents, day, reference, posted_at, match_id)
        select partner_id, ${id('trf')} || 2, ${accountOf('cash')}, 'cash', 'payment', 25000, day,
          'ref-' || n / 100, day, case when n % 1000 <> 0 then 'mat_' || n / 100 end ${rows}`);
      await tx.run(sql`
        insert into bank_account (id, name, currency, account_last4, ledger_account, starts_on, created_at)
        values ('bac_1', ${bank}, 'USD', '0001', 'cash', ${firstDay?.day ?? today}::date, now())`);
      await tx.run(sql`
        insert into bank_statement (id, bank_account_id, from_day, to_day, opening_in_cents,
          closing_in_cents, lines, format, sha256, imported_at, imported_by)
        select 'bst_' || d, 'bac_1', d, d, 0, 0, 1, 'csv', ${seal}, now(), 'Ada'
        from unnest(${days.map(({ day }) => day)}::date[]) d`);
      await tx.run(sql`
        insert into bank_line (id, bank_account_id, statement_id, number, kind, booked_on,
          amount_in_cents, reference, description, match_id)
        select ${id('bln')}, 'bac_1', 'bst_' || day, n, 'credit', day, 25000,
          'ref-' || n / 100, '', case when n % 2000 <> 0 then 'mat_' || n / 100 end
        ${rows} where n % 100 = 0`);
      await tx.run(sql`
        insert into book_match (id, bank_account_id, rule, reason, matched_at, matched_by, closed_by)
        select 'mat_' || n / 100, 'bac_1', 'reference', '', now(), 'rules',
          case when n % 20000 <> 0 then 1 end ${rows} where n % 100 = 0`);
      await tx.run(sql`analyze`);
      // No seal has these transfers, so nothing has counted them.
      await tx.run(sql`delete from ledger_counted`);
      for (const partnerId of partnerIds) await recountTotals(tx, { partnerId, lastSeal: 0 });
    },
    { timeoutMs: 3_600_000 },
  );
  // Citus passes only an analyze of named tables on.
  if (svc.db.cluster) {
    await svc.db.session((session) => session.run(sql`select run_command_on_workers('analyze')`));
  }
}, 3_700_000);

/** The fastest of three calls, because other tests share the machine. */
async function fastest(call: () => Promise<{ status: number }>): Promise<number> {
  const times: number[] = [];
  for (const _ of [1, 2, 3]) {
    const began = performance.now();
    expect((await call()).status).toBe(200);
    times.push(performance.now() - began);
  }
  return Math.min(...times);
}

const searches = [
  'gracelyn hopperton',
  'g@navy.example',
  'smith',
  't-42',
  '0042',
  idOf('pln', 42),
  idOf('trf', 42).slice(0, 30),
  'ref-12',
  'nothing at all',
];

test.each(searches)('a search for %s', async (query) => {
  const ms = await fastest(() => admin.call('POST', '/search', { body: { query } }));
  console.info(`search ${query}: ${ms.toFixed(0)} ms`);
  expect(ms).toBeLessThan(limitMs);
});

const tenantPage = `/tenants/${partner.pms}/t-real`;
const day = days.at(-1)?.day ?? today;
const version = 'default-2026-11';

/** The addresses that each page reads, by the path of the route. */
const pages: Readonly<Record<string, readonly string[]>> = {
  '/session': ['/session'],
  '/sessions': ['/sessions'],
  '/factors': ['/factors'],
  '/commands': ['/commands'],
  '/views': ['/views'],
  '/tenants/{partner}/{external_id}': [tenantPage],
  '/tenants/{partner}/{external_id}/timeline': [
    `${tenantPage}/timeline`,
    `${tenantPage}/timeline?kinds=mail,payment`,
  ],
  '/tenants/{partner}/{external_id}/timeline.csv': [`${tenantPage}/timeline.csv`],
  '/queues': ['/queues'],
  '/queues/{name}': queueNames.map((name) => `/queues/${name}`),
  '/partners': ['/partners'],
  '/partners.csv': ['/partners.csv'],
  '/partners/{pms}': [`/partners/${partner.pms}`],
  '/controls': ['/controls'],
  '/secrets': ['/secrets'],
  '/terms': ['/terms'],
  '/terms/{version}': [`/terms/${version}`],
  '/health': ['/health'],
  '/payouts': ['/payouts', `/payouts?partner=${partner.pms}`],
  '/books/lines': [`/books/lines?bank=${encodeURIComponent(bank)}&day=${day}`],
  '/books/accounts/{account}/postings': [
    '/books/accounts/cash/postings',
    '/books/accounts/credit_loss/postings',
    `/books/accounts/cash/postings?from=${day}&to=${day}`,
    `/books/accounts/cash/postings?to=${firstDay?.day}`,
    `/books/accounts/tenant_receivable/postings?to=${firstDay?.day}`,
  ],
  '/books/trial-balance': ['/books/trial-balance'],
  '/reports/losses': ['/reports/losses'],
};

/** The addresses of pages that add up all plans, or the whole ledger. */
const sums: Readonly<Record<string, readonly string[]>> = {
  '/queues/{name}/items.csv': ['/queues/past_due/items.csv', '/queues/failed_payments/items.csv'],
  '/books/days': ['/books/days'],
  '/books/days/{day}': [`/books/days/${day}`],
  '/books/exceptions': ['/books/exceptions'],
  '/books/exceptions.csv': ['/books/exceptions.csv'],
  '/books/lines.csv': [`/books/lines.csv?bank=${encodeURIComponent(bank)}&day=${day}`],
  '/payouts.csv': ['/payouts.csv'],
  '/reports/delinquency': ['/reports/delinquency'],
  '/reports/delinquency.csv': ['/reports/delinquency.csv'],
  '/reports/losses.csv': ['/reports/losses.csv'],
  '/reports/fees': ['/reports/fees'],
  '/reports/fees.csv': ['/reports/fees.csv'],
  '/reports/portfolio': ['/reports/portfolio'],
  '/reports/portfolio.csv': ['/reports/portfolio.csv'],
};

/** The routes that read nothing that grows with the number of tenants. */
const others = ['/sign_in', '/openapi.json', '/bank_files/{id}'];

test('each page that the console reads is measured', () => {
  const known = new Set([...Object.keys(pages), ...Object.keys(sums), ...others]);
  const paths = operatorRoutes.filter(({ method }) => method === 'GET').map(({ path }) => path);
  expect([...known].toSorted()).toEqual([...new Set(paths)].toSorted());
});

const reads = async (path: string, most: number) => {
  const ms = await fastest(async () => {
    const response = await fetch(`${svc.url}/operator/v1${path}`, { headers: admin.headers });
    await response.text();
    return response;
  });
  console.info(`${path}: ${ms.toFixed(0)} ms`);
  expect(ms).toBeLessThan(most);
};

test.each(Object.values(pages).flat())('the page %s', (path) => reads(path, limitMs));
test.each(Object.values(sums).flat())('the sums of %s', (path) => reads(path, limitMsOfSums));

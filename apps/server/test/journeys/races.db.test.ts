import { sql } from '@svc/db';
import { oneRowOf } from '@svc/db/testing';
import { signWidget } from '@svc/node';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { verifyLedger } from '../../src/domain/ledger/verify.ts';
import { ada, type Called, type Running, startRunning } from '../harness.ts';
import { testAccount } from './play-tenant.ts';
import { retryUnavailable } from './retry-unavailable.ts';
import { type Partner, withPlan } from './with-plan.ts';

let svc: Running;
let call: Running['call'];
let partner: Partner;

/** How often each race runs. Many rounds are cheaper without HTTP, in `src/domain`. */
const rounds = Number(process.env.SVC_RACE_ROUNDS ?? 1);
const limit = 60_000 + rounds * 20_000;
const runners = 50;
const slow = { timeout: 30_000 };

async function race(run: (runner: number) => Promise<Called>): Promise<Called[]> {
  const answers = await Promise.all(Array.from({ length: runners }, (_, runner) => run(runner)));
  expect(answers.filter((it) => it.status >= 500)).toEqual([]);
  return answers;
}

async function count(externalId: string, type: string): Promise<number> {
  const { found } = await oneRowOf<{ found: number }>(
    svc.db,
    sql`
    select count(*) as found from webhook_messages
    where owner = ${partner.id} and subject = ${externalId} and type = ${type}`,
  );
  return found;
}

/** Fifty frames exchange one token of a tenant whose rent is due. */
async function exchange(externalId: string) {
  const { key, pms } = partner;
  await call('POST', `/simulation/${externalId}/set_underwriting_result`, {
    key,
    body: { underwriting_result: 'WILL_BE_APPROVED', rent_cycle_date: '2026-02-01' },
  });
  const info = await call('POST', `/tenant/portal_info/${externalId}`, { key, body: ada });
  const signature = await signWidget({ apiKey: key, pms, externalId });
  return race((runner) =>
    call('POST', '/experience/session', {
      body: {
        token: info.data.token,
        pms,
        external_id: externalId,
        signature,
        product_variant: 'rent',
        nonce: `nonce-of-frame-number-${runner}`,
      },
    }),
  );
}

// The embedded database has one session, so nothing runs concurrently.
describe.runIf(process.env.SVC_TEST_DB === 'postgres')('fifty at once', () => {
  beforeAll(async () => {
    svc = await startRunning();
    call = retryUnavailable(svc.call);
    partner = await svc.newPartner();
  });
  afterAll(() => svc.close());

  test(
    'one token, one quote, one payment, one move: fifty concurrent calls have one effect each',
    async () => {
      for (let round = 1; round <= rounds; round += 1) {
        const externalId = `t-${round}`;
        const exchanged = await exchange(externalId);
        const [winner, ...others] = exchanged.filter((it) => it.status === 200);
        expect(others).toEqual([]);
        const headers = { authorization: `Bearer ${winner?.data.session}` };
        const post = (path: string, body: object) =>
          call('POST', `/experience${path}`, { body, headers });
        await post('/application', {
          date_of_birth: '1990-04-01',
          monthly_income_in_cents: 500_000,
          consent: true,
        });
        await post('/payment_method', testAccount);
        const { items } = (await call('GET', '/experience/quotes', { headers })).data;
        const accepted = await race((runner) => {
          const { id, disclosure } = items[runner % items.length];
          return post('/plan', { quote_id: id, accepted_disclosure_sha256: disclosure.sha256 });
        });
        const settlements = accepted.flatMap((it) => it.data?.settlement?.settlement_id ?? []);
        expect(new Set(settlements).size).toBe(1);
        expect(await count(externalId, 'plan.activated')).toBe(1);
        const { plan, management } = (await call('GET', '/experience/state', { headers })).data;
        const [, second, third] = plan.installments;
        const last = third ?? second;
        const [due_date] = management.installments[last.number - 1].reschedule_days;
        const moved = await race(() =>
          post(`/plan/${plan.id}/reschedule`, {
            installment_id: last.id,
            due_date,
            reason: 'other',
          }),
        );
        expect(moved.filter((it) => it.data.change !== null)).toHaveLength(1);
        const paid = await race(() =>
          post(`/plan/${plan.id}/pay`, { installment_ids: [second.id] }),
        );
        expect(paid.filter((it) => it.data.repayment !== null)).toHaveLength(1);
        expect(await count(externalId, 'repayment.created')).toBe(1);
      }
      expect((await svc.db.transaction(verifyLedger)).faults).toEqual([]);
    },
    limit,
  );

  test(
    'fifty concurrent cancels, also against the bank’s answer: the plan is canceled once or active',
    async () => {
      const account = { ...testAccount, account_number: '000111110003' };
      for (let round = 1; round <= rounds; round += 1) {
        const alone = `t-alone-${round}`;
        const waiting = await withPlan({ call }, partner, alone, { account });
        const canceled = await race(() => waiting.change('cancel', {}));
        expect(canceled.filter((it) => it.data.change !== null)).toHaveLength(1);
        expect(await count(alone, 'plan.canceled')).toBe(1);
        const both = `t-both-${round}`;
        const tenant = await withPlan({ call }, partner, both, { account });
        await race((runner) =>
          runner % 2 === round % 2
            ? tenant.change('cancel', {})
            : tenant.simulate('advance_clock', { by: 'P1D' }),
        );
        const ends = [await count(both, 'plan.canceled'), await count(both, 'plan.activated')];
        expect((ends[0] ?? 0) + (ends[1] ?? 0)).toBe(1);
        const { state, settlement_id } = await tenant.read();
        expect([state === 'canceled', settlement_id === null]).toEqual(
          Array(2).fill(ends[0] === 1),
        );
      }
      expect((await svc.db.transaction(verifyLedger)).faults).toEqual([]);
    },
    limit,
  );

  test('connections cut in the middle: a payment is collected at most once, and a retry collects it', async () => {
    const tenant = await withPlan(svc, partner, 't-cut');
    const [, ...parts] = tenant.plan.installments;
    for (const { id } of parts) {
      const pay = () => tenant.change('pay', { installment_ids: [id] });
      await Promise.all([pay(), pay(), cutConnections(), pay(), cutConnections(), pay()]);
      await expect.poll(async () => (await pay()).status, slow).toBe(200);
    }
    // The pool may hand out a dead connection once, so each query is repeated until it succeeds.
    const paid = () => {
      svc.clock.advance(1_000);
      return oneRowOf<{ payments: number; posted: number }>(
        svc.db,
        sql`
        select count(*) as payments, count(l.id) as posted
        from payment y join installment i on i.partner_id = y.partner_id and i.id = y.installment_id
          left join ledger_transfer l on l.partner_id = y.partner_id and l.kind = 'payment' and l.source_id = y.id
        where i.plan_id = ${tenant.plan.id} and y.outcome = 'succeeded'`,
      );
    };
    // A cut between a call and its outcome leaves the call to a job, once its lease of 30 s has expired.
    await expect.poll(paid, slow).toEqual({ payments: 4, posted: 4 });
    await expect.poll(async () => (await tenant.read())?.state, slow).toBe('completed');
    await expect.poll(() => count('t-cut', 'installment.paid'), slow).toBe(4);
    await expect
      .poll(async () => (await svc.db.transaction(verifyLedger)).faults, slow)
      .toEqual([]);
  }, 240_000);
});

/** Terminates every other connection, as a restart of the database server does. */
async function cutConnections(): Promise<void> {
  await svc.db
    .run(sql`
      select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`)
    .catch((error: unknown) => error);
}

import { type Sql, sql, type Tx } from '@svc/db';
import { oneRowOf, rowsOf } from '@svc/db/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openStage, type Stage } from '../../../test/support/open-stage.ts';
import type { PartnerActor } from '../access/actor.ts';
import { acceptPlan, addPaymentMethod, submitApplication } from '../intake/experience-commands.ts';
import { recordPortalInfo } from '../intake/record-portal-info.ts';
import { listQuotes } from '../offers/list-quotes.ts';
import type { TenantTime } from '../tenants/time.ts';
import { runDue } from './run-due.ts';
import { sendCalls } from './send-calls.ts';

let stage: Stage;
let partner: PartnerActor;
beforeAll(async () => {
  stage = await openStage();
  partner = await stage.newPartner();
});
afterAll(() => stage.close());

/** Splits a tenant's rent in four, from a bank account with this number; returns the tenant's id. */
async function splitRent(external_id: string, account_number = '000111110000'): Promise<string> {
  const charge = { id: 'C-1', due_date: '2026-02-01', amount_in_cents: 152_012 };
  const charges = [{ ...charge, amount_paid_in_cents: 0 }];
  const name = { first_name: 'Ada', last_name: 'Lane', email: 'ada@example.com' };
  stage.clock.now = new Date('2026-02-01T15:00:00Z');
  await stage.run(partner, (ctx) =>
    recordPortalInfo(ctx, { external_id, input: { ...name, charges }, dry_run: false }),
  );
  const { id } = await oneRowOf<{ id: string }>(
    stage.db,
    sql`
    select id from tenant where partner_id = ${partner.partnerId} and external_id = ${external_id}`,
  );
  const actor = stage.tenantOf(partner, id);
  const applicant = { date_of_birth: '1990-04-01', monthly_income_in_cents: 500_000 };
  await stage.run(actor, (ctx) => submitApplication(ctx, { ...applicant, consent: true }));
  const account = { type: 'bank_account', routing_number: '110000000' } as const;
  await stage.runSteps(actor, (ctx) =>
    addPaymentMethod(ctx, { ...account, account_number, account_type: 'checking' }),
  );
  const { items } = await stage.run(actor, (ctx) => listQuotes(ctx));
  const quote = items.find((it) => it.installment_count === 4);
  if (!quote?.disclosure) throw new Error('no quote');
  const input = { quote_id: quote.id, accepted_disclosure_sha256: quote.disclosure.sha256 };
  await stage.runSteps(actor, (ctx) =>
    acceptPlan(ctx, { input, ip: '127.0.0.1', userAgent: 'test' }),
  );
  return id;
}

/** Runs what is due for these tenants, with their payments; returns the tables that were written. */
async function runDueAt(time: string, tenantIds: readonly string[]): Promise<string[]> {
  const at = new Date(time) as TenantTime;
  stage.clock.now = at;
  const written: string[] = [];
  await stage.runSteps(partner, async (steps) => {
    const listed: typeof steps = {
      ...steps,
      step: (work) => steps.step((ctx) => work({ ...ctx, tx: listingWrites(ctx.tx, written) })),
    };
    const due = tenantIds.map((tenantId) => {
      const { partnerId } = partner;
      return { partnerId, tenantId, from: at, until: at, clockOffsetMs: null };
    });
    await sendCalls(listed, await listed.step((uow) => runDue(uow, due)));
  });
  return written;
}

function listingWrites(tx: Tx, written: string[]): Tx {
  const list = ({ text }: Sql) => {
    // The lock of the operator's controls writes nothing.
    const table = /(?:insert into|update|delete from) (\w+)/.exec(text)?.[1];
    if (table !== undefined) written.push(table);
  };
  return {
    ...tx,
    run(statement) {
      list(statement);
      return tx.run(statement);
    },
    send(statement) {
      list(statement);
      tx.send(statement);
    },
  };
}

async function paidOf(tenantIds: readonly string[]): Promise<number[]> {
  const rows = await rowsOf<{ paid: number }>(
    stage.db,
    sql`
    select count(*) filter (where i.state = 'paid') as paid
    from plan p join installment i on i.partner_id = p.partner_id and i.plan_id = p.id
    where p.tenant_id = any(${tenantIds}::text[])
    group by p.tenant_id order by p.tenant_id`,
  );
  return rows.map((row) => row.paid);
}

test('a batch of tenants takes as many statements as one tenant, and each pays once', async () => {
  const alone = await splitRent('t-alone');
  const batch = [await splitRent('t-1'), await splitRent('t-2'), await splitRent('t-3')];
  const collectAt = '2026-02-09T16:00:00Z';
  const statements = await runDueAt(collectAt, [alone]);
  expect(statements).toContain('payment');
  expect(await runDueAt(collectAt, batch)).toEqual(statements);
  expect(await paidOf([alone, ...batch])).toEqual([2, 2, 2, 2]);
  expect(await runDueAt(collectAt, batch)).toEqual(['tenant_due']);
  expect(await paidOf(batch)).toEqual([2, 2, 2]);
});

test('a failed payment in a batch changes only its own plan', async () => {
  const sound = await splitRent('t-sound');
  const broke = await splitRent('t-broke');
  await stage.db.run(sql`
    update tenant set pending_payment_failures = '{R01}' where id = ${broke}`);
  await runDueAt('2026-02-09T16:00:00Z', [broke, sound]);
  expect(await paidOf([sound])).toEqual([2]);
  expect(await paidOf([broke])).toEqual([1]);
  const events = await rowsOf<{ type: string; subject: string }>(
    stage.db,
    sql`
    select type, subject from webhook_messages
    where subject in ('t-sound', 't-broke') and type in ('installment.paid', 'installment.failed')
    order by id desc limit 2`,
  );
  expect(events).toEqual([
    { type: 'installment.paid', subject: 't-sound' },
    { type: 'installment.failed', subject: 't-broke' },
  ]);
});

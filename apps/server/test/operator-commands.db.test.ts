import { sql } from '@svc/db';
import { oneRowOf, rowsOf } from '@svc/db/testing';
import { describe, expect, test } from 'vitest';
import type { Command } from '../src/operator/command.ts';
import { commands } from '../src/operator/commands/index.ts';
import { startRunning, useService } from './harness.ts';
import { withPlan } from './journeys/with-plan.ts';
import { signInOperator } from './support/sign-in-operator.ts';

const svc = await useService();

const offered = (commands as readonly Command[]).filter((it) => it.console !== undefined);
const pathOf = (name: string) => `/commands/${name.replaceAll(' ', '-')}`;

/** A tenant whose first payment has been taken. */
async function withPayment() {
  const partner = await svc.newPartner();
  const tenant = await withPlan(svc, partner, 't-1');
  await tenant.simulate('advance_clock', { by: 'P20D' });
  const { id } = await oneRowOf<{ id: string }>(
    svc.db,
    sql`
    select id from payment where partner_id = ${partner.id} and outcome = 'succeeded'
    order by id limit 1`,
  );
  return { partner, paymentId: id };
}

describe('a refund', () => {
  test('is tried, done once for its key, and audited in the name of the person', async () => {
    const { partner, paymentId } = await withPayment();
    const person = await signInOperator(svc, { name: 'Olga Reyes', role: 'finance' });
    const refund = (body: object) =>
      person.call('POST', '/commands/payment-refund', {
        body: { input: { payment_id: paymentId, amount_in_cents: 4_100 }, reason: 'T-7', ...body },
      });
    const tried = await refund({ dry_run: true });
    expect(tried.data).toMatchObject({
      result: { payment_id: paymentId, amount_in_cents: 4_100 },
      text: expect.stringContaining('$41.00'),
      done_at: null,
    });
    const key = { idempotency_key: 'ticket-7' };
    const [first, again] = [await refund(key), await refund(key)];
    expect(first.data).toEqual(tried.data);
    expect(again.data).toEqual({ ...first.data, done_at: '2026-01-20T15:00:00.000Z' });
    const entries = await rowsOf<object>(
      svc.db,
      sql`
      select partner_id, via, credential_id, details->>'reason' as reason from audit_entry
      where action = 'payment.refunded' and subject_id = ${paymentId}`,
    );
    expect(entries).toEqual([
      { partner_id: partner.id, via: 'operator', credential_id: person.operatorId, reason: 'T-7' },
    ]);
    const log = await svc.call('GET', '/webhooks/audit_log?group=payment', { key: partner.key });
    expect(log.data.items).toMatchObject([
      { via: 'cli', credential_id: 'Olga Reyes', credential: { person: 'Olga Reyes' } },
    ]);
    const operators = await svc.administer({ command: 'audit list', action: 'payment.refunded' });
    expect(operators).toMatchObject({
      result: { items: [{ via: 'operator', person: 'Olga Reyes' }] },
    });
  });

  test('of a broken request is refused, and the answer says what to send', async () => {
    const person = await signInOperator(svc, { role: 'finance' });
    const payment = { payment_id: 'pay_1' };
    const [reason, idempotency_key] = ['T-7', 'ticket-8'];
    const cases: [object, string][] = [
      [{ input: payment, idempotency_key }, 'input needs --amount'],
      [{ input: { ...payment, all: true }, idempotency_key }, 'reason must say why'],
      [{ input: { ...payment, all: true }, reason }, 'idempotency_key must be set'],
      [{ input: { all: true }, reason, idempotency_key }, 'input.payment_id'],
      [{ input: { ...payment, all: 'no' }, reason, idempotency_key }, 'input.all'],
      [{ input: { ...payment, amount_in_cents: -1 }, reason, idempotency_key }, '--amount'],
      [{ input: { ...payment, all: true, to: 'me' }, reason, idempotency_key }, 'input.to'],
      [{ input: { ...payment, all: true }, reason, idempotency_key, yes: true }, 'yes'],
    ];
    for (const [body, message] of cases) {
      const answer = await person.call('POST', '/commands/payment-refund', { body });
      expect(answer).toMatchObject({
        status: 422,
        error: { code: 'validation_failed', message: expect.stringContaining(message) },
      });
    }
    expect(
      await person.call('POST', '/commands/payment-refund', {
        body: { input: { ...payment, all: true }, reason, idempotency_key },
      }),
    ).toMatchObject({ status: 404, error: { message: expect.stringContaining('pay_1') } });
  });
});

test('what needs a second person waits for one, whose role must allow it', async () => {
  const running = await startRunning({ approvals: { everyone_in_cents: 10_000, by_role: {} } });
  const { pms } = await running.newPartner();
  const [asking, developer, support] = [
    await signInOperator(running, { role: 'developer' }),
    await signInOperator(running, { role: 'developer' }),
    await signInOperator(running, { role: 'support' }),
  ];
  const asked = await asking.call('POST', '/commands/key-create', {
    body: { input: { pms }, reason: 'T-9' },
  });
  const { approval_id } = asked.data;
  expect(asked.data).toMatchObject({ result: null, text: expect.stringContaining(approval_id) });
  const body = { input: { approval_id } };
  const path = '/commands/approval-approve';
  expect(await support.call('POST', path, { body })).toMatchObject({
    status: 403,
    error: { code: 'permission_required', message: expect.stringContaining('"key create"') },
  });
  const approved = await developer.call('POST', path, { body });
  expect(approved.data.result).toMatchObject({ approval_id, command: 'key create' });
  const entries = await rowsOf<object>(
    running.db,
    sql`
    select via, credential_id, details->>'approved_by' as approved_by from audit_entry
    where action = 'key.created' and details ? 'approved_by'`,
  );
  expect(entries).toEqual([
    { via: 'operator', credential_id: asking.operatorId, approved_by: developer.name },
  ]);
  await running.close();
});

test('a report takes no reason, and a command that moves no money no dry run', async () => {
  const { pms } = await svc.newPartner();
  const person = await signInOperator(svc, { role: 'admin' });
  const list = (body: object) =>
    person.call('POST', '/commands/payment-list', { body: { input: { pms }, ...body } });
  expect((await list({})).data.result).toMatchObject({ calls: [] });
  expect((await list({ reason: 'curious' })).error?.param).toBe('reason');
  expect((await list({ dry_run: true })).error?.param).toBe('dry_run');
});

test('terms are sent as the content of a file, and no command reads a file of the server', async () => {
  const person = await signInOperator(svc, { role: 'admin' });
  const preview = (terms: string) =>
    person.call('POST', '/commands/terms-preview', {
      body: { input: { terms, amount_in_cents: 150_000 } },
    });
  expect((await preview('/etc/hostname')).error).toMatchObject({
    param: 'input.terms',
    message: expect.stringContaining('The content is not JSON'),
  });
  for (const { input } of offered) {
    for (const { syntax, readContent } of Object.values(input)) {
      if (syntax.includes('file>') || syntax.includes('.json>')) {
        expect([syntax, readContent]).not.toContain(undefined);
      }
    }
  }
});

describe('a person who is limited to partners', () => {
  const inputOf = ({ input }: Command, own: object) => ({
    ...Object.fromEntries(
      Object.entries(input).flatMap(([key, { isRequired }]) => (isRequired ? [[key, 'x1']] : [])),
    ),
    ...own,
  });

  test.each(offered.filter(({ console: it }) => it?.partner === undefined).map((it) => it.name))(
    'cannot run %s, which is about all portals',
    async (name) => {
      const { pms } = await svc.newPartner();
      const person = await signInOperator(svc, { role: 'admin', partners: [pms] });
      const command = offered.find((it) => it.name === name) as Command;
      const body = { input: inputOf(command, {}) };
      expect(await person.call('POST', pathOf(name), { body })).toMatchObject({
        status: 403,
        error: { code: 'permission_required', message: expect.stringContaining('all portals') },
      });
    },
  );

  test.each(offered.filter(({ console: it }) => it?.partner === 'pms').map((it) => it.name))(
    'cannot run %s for another portal, nor without naming one',
    async (name) => {
      const [mine, theirs] = [await svc.newPartner(), await svc.newPartner()];
      const person = await signInOperator(svc, { role: 'admin', partners: [mine.pms] });
      const command = offered.find((it) => it.name === name) as Command;
      const call = (own: object) =>
        person.call('POST', pathOf(name), { body: { input: inputOf(command, own) } });
      expect((await call({ pms: theirs.pms })).status).toBe(404);
      if (command.input.pms?.isRequired === false) expect((await call({})).status).toBe(403);
      expect((await call({ pms: mine.pms })).error?.code).not.toBe('permission_required');
    },
  );

  test('cannot act on what belongs to another portal, and gets the same answer as for nothing', async () => {
    const { partner } = await withPayment();
    const mine = await svc.newPartner();
    const person = await signInOperator(svc, { role: 'admin', partners: [mine.pms] });
    const tables = {
      application_id: sql`application`,
      key_id: sql`api_key`,
      mail_id: sql`mail`,
      payment_id: sql`payment`,
      plan_id: sql`plan`,
      settlement_id: sql`settlement`,
    };
    let tried = 0;
    for (const command of offered) {
      const subject = command.console?.partner;
      if (subject === undefined || subject === 'pms') continue;
      const table = subject === 'payout_id' ? undefined : tables[subject];
      const theirs = table
        ? await oneRowOf<{ id: string }>(
            svc.db,
            sql`select id from ${table} where partner_id = ${partner.id} order by id limit 1`,
          )
        : { id: 'pyt_nothing' };
      for (const id of [theirs.id, 'nothing']) {
        const body = { input: inputOf(command, { [subject]: id }), reason: 'x' };
        const answer = await person.call('POST', pathOf(command.name), { body });
        expect([command.name, answer.status, answer.error?.message]).toEqual([
          command.name,
          404,
          'There is nothing with this id, or its portal is not among those that you may see.',
        ]);
        tried += 1;
      }
    }
    expect(tried).toBeGreaterThan(20);
    const refusals = await refusalsOf(person.operatorId);
    // What does not exist is no attempt at something of another portal.
    expect(refusals.length).toBeGreaterThan(10);
    expect(refusals.length).toBeLessThanOrEqual(tried / 2);
  });

  test('leaves an entry in the audit log when it tries another portal or all of them', async () => {
    const [mine, theirs] = [await svc.newPartner(), await svc.newPartner()];
    const person = await signInOperator(svc, { role: 'admin', partners: [mine.pms] });
    await person.call('POST', pathOf('key list'), { body: { input: { pms: theirs.pms } } });
    await person.call('POST', pathOf('key list'), { body: { input: { pms: 'nothing' } } });
    await person.call('GET', `/tenants/${theirs.pms}/t-1`);
    await person.call('GET', `/payouts?partner=${theirs.pms}`);
    await person.call('GET', '/books/days');
    const reason = 'partners';
    expect(await refusalsOf(person.operatorId)).toEqual(
      [
        'POST /commands/key-list',
        'GET /tenants/{partner}/{external_id}',
        'GET /payouts',
        'GET /books/days',
      ].map((call) => ({ call, role: 'admin', reason })),
    );
  });

  async function refusalsOf(operatorId: string) {
    const rows = await rowsOf<{ details: object }>(
      svc.db,
      sql`
      select details from audit_entry
      where action = 'operator.refused' and credential_id = ${operatorId} order by id`,
    );
    return rows.map(({ details }) => details);
  }
});

test('the console lists the commands that a role allows, with what their forms need', async () => {
  const finance = await signInOperator(svc, { role: 'finance' });
  const auditor = await signInOperator(svc, { role: 'auditor' });
  const list = async (person: typeof finance) => (await person.call('GET', '/commands')).data.items;
  const items = await list(finance);
  const named = (name: string) => items.find((it: { name: string }) => it.name === name);
  const refund = named('payment-refund');
  expect(refund).toMatchObject({ needs: 'money', money: true, needs_reason: true });
  expect(refund.fields).toContainEqual({
    name: 'amount_in_cents',
    syntax: '--amount <cents>',
    summary: 'give back only this much',
    is_required: false,
    is_file: false,
    takes_several: false,
    choices: null,
  });
  const account = named('books-match').fields.find((it: { name: string }) => it.name === 'account');
  expect(account.choices).toContainEqual({
    value: 'processing_cost',
    label: '5100 Fees of processors and banks',
  });
  const allowed = new Set((await list(auditor)).map((it: { needs: string }) => it.needs));
  expect([...allowed]).toEqual(['read']);
});

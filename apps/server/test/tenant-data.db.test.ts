import { randomBytes } from 'node:crypto';
import { bytes, listOf, nullable, row, sql, text } from '@svc/db';
import { oneRowOf, rowsOf, testKind } from '@svc/db/testing';
import { createVault, decrypt } from '@svc/runtime';
import { describe, expect, test } from 'vitest';
import { eraseTenant } from '../src/domain/privacy/erase-tenant.ts';
import type { TenantExport } from '../src/domain/privacy/export-tenant.ts';
import { tenantTables } from '../src/domain/privacy/tenant-tables.ts';
import { openPersonal } from '../src/domain/tenants/personal-data.ts';
import type { OperatorRequest } from '../src/operator/administer.ts';
import { commands } from '../src/operator/commands/index.ts';
import { processors } from '../src/processors/index.ts';
import { findText } from './find-text.ts';
import { ada, useService } from './harness.ts';
import { playTenant, testAccount } from './journeys/play-tenant.ts';
import { withPlan } from './journeys/with-plan.ts';
import { readPersonal } from './read-personal.ts';
import { countWaiting } from './support/count-waiting.ts';

// What an operator does when a person asks for their data, or wants it erased.

const secretKey = randomBytes(32);
const svc = await useService({ secretKeys: [secretKey] });
const partner = await svc.newPartner();
const { key, pms } = partner;

const grace = {
  ...ada,
  first_name: 'Gracelyn',
  last_name: 'Hopperton',
  email: 'gracelyn@navy.example',
  phone_number: '+12025550147',
};

const report = (externalId: string, body: object = grace) =>
  svc.call('POST', `/tenant/portal_info/${externalId}`, { key, body });

const erase = (external_id: string) =>
  svc.administer({ command: 'tenant erase', pms, external_id });

async function exported(external_id: string): Promise<TenantExport> {
  const answer = await svc.administer({ command: 'tenant export', pms, external_id });
  if (!answer.ok) throw new Error(answer.message);
  return answer.result as TenantExport;
}

/** A tenant with a paid plan, whose money is deposited and settled. */
async function withPaidPlan(externalId: string, body: object = grace) {
  const tenant = await withPlan(svc, partner, externalId);
  await report(externalId, body);
  const installments: { id: string; state: string }[] = tenant.plan.installments;
  const open = installments.filter(({ state }) => state !== 'paid').map(({ id }) => id);
  await tenant.change('pay', { installment_ids: open });
  await tenant.simulate('advance_clock', { by: 'P20D' });
  const patch = (body: object) =>
    svc.call('PATCH', `/settlements/${tenant.plan.settlement_id}`, { key, body });
  await patch({ status: 'unverified' });
  await patch({ status: 'verified' });
  return tenant;
}

/** A tenant who only has to accept one of the quotes. */
async function withChoice(externalId: string) {
  await svc.call('POST', `/simulation/${externalId}/set_underwriting_result`, {
    key,
    body: { underwriting_result: 'WILL_BE_APPROVED', rent_cycle_date: '2026-02-01' },
  });
  const info = await report(externalId);
  const who = { pms, apiKey: key, externalId, productVariant: 'rent' as const };
  const tenant = await playTenant(svc, info.data.token, who);
  await tenant.apply();
  await tenant.pay();
  const { items } = (await tenant.quotes()).data;
  return { accept: () => tenant.accept(items.at(-1)) };
}

test('an export contains what is stored about the tenant, and no secret', async () => {
  const metadata = { unit: '4b' };
  const tenant = await withPaidPlan('t-export', { ...grace, metadata });
  await report('t-other');
  const out = await exported('t-export');
  expect(out.person).toEqual({
    first_name: 'Gracelyn',
    last_name: 'Hopperton',
    email: 'gracelyn@navy.example',
    phone_number: '+12025550147',
  });
  expect(out.tenant).toMatchObject({ external_id: 't-export', metadata });
  const { tables } = out;
  expect(tables.application).toMatchObject([
    { date_of_birth: '1990-04-01', monthly_income_in_cents: 500_000, state: 'expired' },
  ]);
  expect(tables.decision).toMatchObject([{ outcome: 'approved', reasons: [] }]);
  expect(tables.plan).toMatchObject([
    { id: tenant.plan.id, state: 'completed', disclosure_text: expect.any(String) },
  ]);
  expect(tables.payment?.map(({ amount_in_cents }) => amount_in_cents)).toHaveLength(4);
  expect(tables.payment_method).toMatchObject([{ type: 'bank_account', last4: '0000' }]);
  expect(tables.settlement).toMatchObject([{ status: 'verified' }]);
  expect(tables.mail?.map(({ type }) => type)).toContain('installment.paid');
  expect(tables.experience_session).toHaveLength(1);
  const sum = (tables.ledger_entry ?? []).reduce((all, it) => all + Number(it.amount_in_cents), 0);
  expect(sum).toBe(0);
  expect(out.messages.map(({ event_type }) => event_type)).toContain('plan.completed');
  expect(JSON.stringify(out)).not.toMatch(/sealed|sha256|hmac|000111110000|t-other/);
  const [last] = out.audit_entries.slice(-1);
  expect(last).toMatchObject({ action: 'settlement.updated' });
  // The export itself is in the log, and so in the next export.
  expect((await exported('t-export')).audit_entries.at(-1)).toMatchObject({
    action: 'tenant.exported',
    via: 'cli',
    credential_id: 'ops-ada',
    details: { external_id: 't-export', reason: 'a test' },
  });
});

// A cluster keeps fewer foreign keys.
test.skipIf(svc.db.cluster)(
  'every table that refers to tenants, directly or not, is in the export',
  async () => {
    const { names } = await svc.db.one(
      row('tables of tenants', { names: listOf(text) }),
      sql`
    with recursive referring as (
      select 'tenant'::regclass::oid as id
      union
      select c.conrelid from pg_constraint c join referring r on c.confrelid = r.id
      where c.contype = 'f'
    )
    select array_agg(distinct name) as names from (
      select id::regclass::text as name from referring where id <> 'tenant'::regclass
      union
      select table_name::text from information_schema.columns
      where table_schema = 'public' and column_name in ('tenant_id', 'plan_id', 'application_id')
    ) found
    where name in (select relname from pg_class
      where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
        and not relispartition)`,
    );
    const tables = Object.keys(tenantTables({ partnerId: 'ptn', tenantId: 'ten' }, processors));
    expect(tables.toSorted()).toEqual(names.toSorted());
  },
);

const beforeRow = row('stored before', {
  id: text,
  personal: bytes,
  key: nullable(bytes),
  partner_id: text,
});

const readRow = (where: string) =>
  svc.db.one(
    beforeRow,
    sql`select id, personal, key_sealed as key, partner_id from tenant where external_id = ${where}`,
  );

test('erasing deletes all personal data and the key, and keeps the records of money', async () => {
  const body = {
    ...grace,
    metadata: { note: 'calls on Mondays' },
    return_url: 'https://portal.example/gracelyn',
    lease: { id: 'L-Hopperton', property: { id: 'P-9', time_zone: 'America/Chicago' } },
  };
  const traces = [grace.first_name, grace.last_name, grace.email, '2025550147', 'Mondays'];
  const tenant = await withPaidPlan('t-erase', body);
  const published = await svc.call('POST', '/webhooks/messages', {
    key,
    body: {
      event_type: 'plan.created',
      external_id: 't-erase',
      data: { text: 'Hoppertons move out' },
    },
  });
  expect(published.error).toBeNull();
  await svc.engine.idle();
  expect(await findText(svc.db, 'Hopperton')).toEqual(['tenant', 'webhook_messages']);
  const before = await readRow('t-erase');
  const { tables: kept } = await exported('t-erase');
  const verified = await svc.administer({ command: 'ledger verify' });

  expect(await erase('t-erase')).toEqual({
    ok: true,
    result: { partner_id: partner.id, tenant_id: before.id, external_id: `erased_${before.id}` },
  });

  for (const trace of traces) expect([trace, await findText(svc.db, trace)]).toEqual([trace, []]);
  const vault = createVault(secretKey);
  const left = { keySealed: null, sealed: before.personal.toString('base64'), clear: null };
  expect(() => openPersonal(vault, before.id, left)).toThrow('has personal data but no key');
  expect(() => decrypt(secretKey, before.personal, before.id)).toThrow('unable to authenticate');
  expect(await findText(svc.db, before.key?.toString('hex') ?? '')).toEqual([]);

  const { tables, person } = await exported(`erased_${before.id}`);
  expect(person).toBeNull();
  expect(tables.application).toMatchObject([{ date_of_birth: '', monthly_income_in_cents: 0 }]);
  expect(tables.decision).toMatchObject([{ outcome: 'approved', reasons: [], facts: {} }]);
  expect(tables.payment_method).toMatchObject([{ last4: '0000', expires: null }]);
  expect(tables.plan?.[0]?.consent).toEqual({ at: expect.any(String), locale: 'en' });
  for (const table of ['charge', 'mail', 'review', 'experience_session', 'tenant_token']) {
    expect([table, tables[table]]).toEqual([table, []]);
  }
  for (const table of ['installment', 'payment', 'plan_charge', 'plan_history', 'ledger_entry']) {
    expect([table, tables[table]]).toEqual([table, kept[table]]);
  }
  expect(tables.settlement).toMatchObject([{ amount_in_cents: 152_012, status: 'verified' }]);
  const again = await svc.administer({ command: 'ledger verify' });
  expect(again).toMatchObject({ ok: true, result: { faults: [] } });
  expect(verified).toMatchObject({ ok: true, result: { faults: [] } });

  // What partner and operator see afterwards.
  const settlement = await svc.call('GET', `/settlements/${tenant.plan.settlement_id}`, { key });
  expect(settlement.data.external_id).toBe(`erased_${before.id}`);
  expect((await tenant.read()).state).toBe('completed');
  expect((await svc.call('GET', '/tenants/t-erase', { key })).error?.code).toBe('tenant_not_found');
  expect((await tenant.state()).error?.code).toBe('token_invalid');
  const log = await svc.administer({ command: 'audit list', pms, action: 'tenant.erased' });
  expect(log).toMatchObject({
    result: { items: [{ subject_id: before.id, details: { external_id: 't-erase' } }] },
  });
});

test('a report after the erasure starts a new person with a new key', async () => {
  await report('t-back');
  const before = await readRow('t-back');
  expect((await erase('t-back')).ok).toBe(true);
  const { phone_number: _, ...withoutPhone } = grace;
  expect((await report('t-back', withoutPhone)).status).toBe(200);
  const after = await readRow('t-back');
  expect(after.id).not.toBe(before.id);
  expect(after.key).not.toEqual(before.key);
  // Nothing of the first person is left.
  expect(await readPersonal(svc, 't-back')).toMatchObject({ phoneNumber: null });
  expect((await exported('t-back')).tables.plan).toEqual([]);
});

test('no list of an operator shows a name, an address or an account', async () => {
  await withPaidPlan('t-listed');
  const lists = commands.filter(
    (it) =>
      it.effect === 'report' &&
      Object.values<{ isRequired: boolean }>(it.input).every(({ isRequired }) => !isRequired),
  );
  const printed: string[] = [];
  for (const { name } of lists) {
    // Some run on the operator's machine only.
    const answer = await svc.administer({ command: name } as OperatorRequest).catch(() => null);
    if (answer?.ok) printed.push(JSON.stringify(answer.result));
  }
  expect(printed.length).toBeGreaterThan(10);
  const all = printed.join('\n');
  expect(all).toContain('t-listed');
  const { first_name, last_name, email, phone_number } = grace;
  for (const text of [first_name, last_name, email, phone_number, testAccount.account_number]) {
    expect(all).not.toContain(text);
  }
});

describe('is refused, with advice,', () => {
  test('while a plan is open', async () => {
    const tenant = await withPlan(svc, partner, 't-open');
    expect(await erase('t-open')).toEqual({
      ok: false,
      message: `The tenant t-open of ${pms} cannot be erased yet: the plan ${tenant.plan.id} is open until 2026-02-23. Wait until it is paid, canceled or written off, then run the command again.`,
    });
    expect(await readPersonal(svc, 't-open')).toMatchObject({ firstName: 'Ada' });
  });

  test('while a payment is on its way, and while the portal has not verified its debit', async () => {
    const tenant = await withPlan(svc, partner, 't-moving');
    const [, ...open] = tenant.plan.installments;
    await tenant.change('pay', { installment_ids: open.map(({ id }: { id: string }) => id) });
    expect(await erase('t-moving')).toMatchObject({
      ok: false,
      message: expect.stringContaining('a payment is on its way to us until 2026-'),
    });
    await tenant.simulate('advance_clock', { by: 'P20D' });
    expect(await erase('t-moving')).toMatchObject({
      ok: false,
      message: expect.stringContaining(`the settlement ${tenant.plan.settlement_id} is unsettled`),
    });
  });

  test('for unknown partners and tenants, and a second time', async () => {
    await report('t-twice');
    const { id } = await readRow('t-twice');
    await erase('t-twice');
    const messages = [];
    for (const [portal, externalId] of [
      ['nobody', 't-1'],
      [pms, 't-nobody'],
      [pms, `erased_${id}`],
    ] as const) {
      const answer = await svc.administer({
        command: 'tenant erase',
        pms: portal,
        external_id: externalId,
      });
      messages.push(answer.ok ? 'erased' : answer.message);
    }
    expect(messages).toEqual([
      'There is no partner nobody.',
      expect.stringContaining(`${pms} has no tenant t-nobody.`),
      expect.stringContaining(`The tenant erased_${id} was erased on 2026-`),
    ]);
  });
});

describe.skipIf(testKind() === 'pglite')('at the same time as', () => {
  test('portal_info, either the report or a new person is left, readable and complete', async () => {
    for (let round = 0; round < 10; round += 1) {
      const externalId = `t-race-${round}`;
      await report(externalId);
      const before = await readRow(externalId);
      const [erased, ...reports] = await Promise.all([
        erase(externalId),
        ...Array.from({ length: 4 }, (_, index) =>
          report(externalId, { ...grace, last_name: `Name ${index}` }),
        ),
      ]);
      expect(erased.ok).toBe(true);
      expect(reports.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
      const old = await oneRowOf<{ personal: null; key_sealed: null; external_id: string }>(
        svc.db,
        sql`select personal, key_sealed, external_id from tenant where id = ${before.id}`,
      );
      expect(old).toEqual({
        personal: null,
        key_sealed: null,
        external_id: `erased_${before.id}`,
      });
      const now = await rowsOf<{ id: string }>(
        svc.db,
        sql`select id from tenant where external_id = ${externalId}`,
      );
      if (now.length > 0) {
        expect(await readPersonal(svc, externalId)).toMatchObject({ firstName: 'Gracelyn' });
      }
    }
  });

  /** Erases the tenant after `call` has begun and waits for the tenant's row. */
  async function eraseBefore<T>(externalId: string, call: () => Promise<T>): Promise<T> {
    let called: Promise<T> | undefined;
    await svc.db.transaction(async (tx) => {
      await tx.run(sql`
        select from tenant where partner_id = ${partner.id} and external_id = ${externalId} for update`);
      called ??= call();
      await expect.poll(() => countWaiting(svc.db)).toBeGreaterThan(0);
      const { service, clock } = svc;
      await eraseTenant({ tx, now: clock.now(), service }, { pms, external_id: externalId });
    });
    if (!called) throw new Error('The call was not made.');
    return called;
  }

  test('a report that has read the tenant before: it starts a new person', async () => {
    await report('t-read');
    const before = await readRow('t-read');
    const { phone_number: _, ...withoutPhone } = grace;
    const reported = await eraseBefore('t-read', () => report('t-read', withoutPhone));
    expect(reported.status).toBe(200);
    expect((await readRow('t-read')).id).not.toBe(before.id);
    // The phone number that the report left out would come from the erased person.
    expect(await readPersonal(svc, 't-read')).toMatchObject({ phoneNumber: null });
  });

  test('an accept that waits for the tenant: it is refused, and nothing is charged', async () => {
    const tenant = await withChoice('t-waits');
    const { id } = await readRow('t-waits');
    const accepted = await eraseBefore('t-waits', () => tenant.accept());
    expect(accepted).toMatchObject({ status: 409, error: { code: 'step_not_allowed' } });
    const { tables } = await exported(`erased_${id}`);
    expect([tables.plan, tables.payment, tables.ledger_entry]).toEqual([[], [], []]);
  });

  test('an accepted plan: one of the two is refused', async () => {
    const outcomes = [];
    for (let round = 0; round < 4; round += 1) {
      const externalId = `t-accept-${round}`;
      const tenant = await withChoice(externalId);
      const [erased, accepted] = await Promise.all([erase(externalId), tenant.accept()]);
      outcomes.push([erased.ok, accepted.status === 200]);
    }
    for (const [erased, accepted] of outcomes) expect(erased).not.toBe(accepted);
  });
});

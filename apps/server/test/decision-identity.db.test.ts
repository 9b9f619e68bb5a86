import { sql } from '@svc/db';
import { oneRowOf } from '@svc/db/testing';
import { afterAll, expect, test } from 'vitest';
import type { TenantExport } from '../src/domain/privacy/export-tenant.ts';
import type { IdentityFields } from '../src/domain/underwriting/identity.ts';
import type { OperatorRequest } from '../src/operator/administer.ts';
import { findText } from './find-text.ts';
import { ada, useService } from './harness.ts';
import { playTenant } from './journeys/play-tenant.ts';
import { json, startDecisionDouble } from './support/decision-double.ts';

// The identity of the applicant in questions to an operator’s decision service. Every field is the operator’s choice.

const double = await startDecisionDouble();
afterAll(double.close);
const fields = ['name', 'birth_date', 'address', 'email', 'phone', 'ssn'] as const;
const svc = await useService(
  { underwriting: { ...double.underwriting, fields: [...fields] } },
  '2026-02-01T18:00:00Z',
);
const { key, pms } = await svc.newPartner();
const ssn = '123456789';
const home = { line1: '1 Elm St', city: 'Austin', state: 'TX', postal_code: '78701' };
const lodger = {
  ...ada,
  lease: { ...ada.lease, property: { ...ada.lease.property, ...home } },
};

async function begin(externalId: string) {
  const info = await svc.call('POST', `/tenant/portal_info/${externalId}`, { key, body: lodger });
  const who = { pms, apiKey: key, externalId, productVariant: 'rent' as const };
  return playTenant(svc, info.data.token, who);
}

function eventually<T>(read: () => Promise<T>) {
  return expect.poll(
    () => {
      svc.clock.advance(1_000);
      return read();
    },
    { timeout: 20_000 },
  );
}

const questionOf = (externalId: string) =>
  double.asked.find((it) => it.body.external_id === externalId)?.body;

async function administer(request: OperatorRequest): Promise<object> {
  const answer = await svc.administer(request);
  if (!answer.ok) throw new Error(answer.message);
  return answer.result;
}

async function storedSsn(externalId: string): Promise<boolean> {
  const { stored } = await oneRowOf<{ stored: boolean }>(
    svc.db,
    sql`
    select bool_or(a.ssn_sealed is not null) as stored from application a
      join tenant t on t.partner_id = a.partner_id and t.id = a.tenant_id
    where t.external_id = ${externalId}`,
  );
  return stored;
}

function choose(decisionFields: IdentityFields): void {
  Object.assign(svc.service, { decisionFields });
}

test('the question names the applicant, and the number is deleted with the decision', async () => {
  choose(fields);
  double.answers.set('t-named', json({ outcome: 'in_review', policy_version: 'p-1' }));
  const tenant = await begin('t-named');
  expect((await tenant.state()).data.asks_ssn_digits).toBe(9);
  await tenant.apply(500_000, { ssn });
  await eventually(async () => questionOf('t-named')).toBeDefined();
  expect(questionOf('t-named')).toMatchObject({
    version: 1,
    identity: {
      name: { first: 'Ada', last: 'Lane' },
      birth_date: '1990-04-01',
      address: home,
      email: ada.email,
      ssn,
    },
  });
  // While the application waits, only the ciphertext is there.
  expect(await storedSsn('t-named')).toBe(true);
  expect(await findText(svc.db, ssn)).toEqual([]);
  expect(svc.lines.join('')).not.toContain(ssn);
  expect(JSON.stringify((await tenant.state()).data)).not.toContain(ssn);
  const exported = (await administer({
    command: 'tenant export',
    pms,
    external_id: 't-named',
  })) as TenantExport;
  expect(exported.tables.application).toMatchObject([{ ssn: '•••••••••' }]);
  expect(JSON.stringify(exported)).not.toContain(ssn);
  double.answers.delete('t-named');
  svc.clock.advance(30_000);
  await eventually(async () => (await tenant.state()).data.step).toBe('plan_choice');
  expect(await storedSsn('t-named')).toBe(false);
});

test('an application without the number, or with other digits, says what is missing', async () => {
  choose(fields);
  const tenant = await begin('t-missing');
  expect((await tenant.apply()).error).toMatchObject({
    code: 'validation_failed',
    errors: [{ param: 'ssn', code: 'required' }],
  });
  const { error } = await tenant.apply(500_000, { ssn: '6789' });
  expect(error).toMatchObject({ errors: [{ param: 'ssn', message: 'must be 9 digits' }] });
  const impossible = await tenant.apply(500_000, { ssn: '000123456' });
  expect(impossible.error).toMatchObject({
    errors: [{ param: 'ssn', message: 'is no Social Security number or ITIN: check its digits' }],
  });
});

test('only what the operator chose is sent, and four digits are enough where four are asked', async () => {
  choose(['birth_date', 'ssn_last4']);
  const tenant = await begin('t-few');
  expect((await tenant.state()).data.asks_ssn_digits).toBe(4);
  await tenant.apply(500_000, { ssn: '6789' });
  await eventually(async () => questionOf('t-few')).toMatchObject({
    identity: { birth_date: '1990-04-01', ssn_last4: '6789' },
  });
  expect(Object.keys((questionOf('t-few') as { identity?: object }).identity ?? {})).toEqual([
    'birth_date',
    'ssn_last4',
  ]);
});

test('without a choice the question names no one, and a number that a page sends is not stored', async () => {
  choose([]);
  double.answers.set('t-plain', json({ outcome: 'in_review', policy_version: 'p-1' }));
  const tenant = await begin('t-plain');
  expect((await tenant.state()).data.asks_ssn_digits).toBeNull();
  await tenant.apply(500_000, { ssn });
  await eventually(async () => questionOf('t-plain')).toBeDefined();
  expect(questionOf('t-plain')).not.toHaveProperty('identity');
  expect(await storedSsn('t-plain')).toBe(false);
});

test.each([
  [
    'the tenant is erased',
    (external_id: string) =>
      administer({ command: 'tenant erase', pms, external_id }).then(() => {}),
  ],
  [
    'the simulation is reset',
    (externalId: string) =>
      svc.call('POST', `/simulation/${externalId}/reset`, { key, body: {} }).then(() => {}),
  ],
  [
    'the simulation decides',
    (externalId: string) =>
      svc
        .call('POST', `/simulation/${externalId}/set_underwriting_result`, {
          key,
          body: { underwriting_result: 'WILL_BE_APPROVED' },
        })
        .then(() => {}),
  ],
  [
    'the application expires',
    async () => {
      svc.clock.advance(11 * 86_400_000);
    },
  ],
])('the number is deleted when %s', async (name, end) => {
  choose(fields);
  const externalId = `t-ends-${name.replaceAll(' ', '-')}`;
  double.answers.set(externalId, json({ outcome: 'in_review', policy_version: 'p-1' }));
  const tenant = await begin(externalId);
  await tenant.apply(500_000, { ssn });
  expect(await storedSsn(externalId)).toBe(true);
  await end(externalId);
  const left = async () => {
    const { count } = await oneRowOf<{ count: number }>(
      svc.db,
      sql`select count(*)::int as count from application
        where ssn_sealed is not null and state not in ('submitted', 'in_review')`,
    );
    const { open } = await oneRowOf<{ open: number }>(
      svc.db,
      sql`select count(*)::int as open from application a
        join tenant t on t.partner_id = a.partner_id and t.id = a.tenant_id
        where a.ssn_sealed is not null and t.external_id = ${externalId}`,
    );
    return count + open;
  };
  await eventually(left).toBe(0);
});

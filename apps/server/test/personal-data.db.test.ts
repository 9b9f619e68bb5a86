import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { type Database, readSchemaState, sql, type Tx } from '@svc/db';
import { oneRowOf, rowsOf } from '@svc/db/testing';
import { createVault } from '@svc/runtime';
import { describe, expect, test } from 'vitest';
import { createMailLink } from '../src/domain/access/mail-links.ts';
import { sha256 } from '../src/domain/access/secrets.ts';
import { migrationFiles } from '../src/migrations.ts';
import { rotateSecret } from '../src/operator/rotate-secret.ts';
import { sealPersonalData } from '../src/operator/seal-personal-data.ts';
import { findText } from './find-text.ts';
import { ada, useService } from './harness.ts';
import { withPlan } from './journeys/with-plan.ts';
import { readPersonal } from './read-personal.ts';

const [oldKey, newKey] = [randomBytes(32), randomBytes(32)];
const svc = await useService({ secretKeys: [oldKey] });
const partner = await svc.newPartner();

const grace = {
  ...ada,
  first_name: 'Gracelyn',
  last_name: 'Hopperton',
  email: 'gracelyn@navy.example',
  phone_number: '+12025550147',
};
const secrets = [grace.first_name, grace.last_name, grace.email, '2025550147'];

const report = (externalId: string, body: object) =>
  svc.call('POST', `/tenant/portal_info/${externalId}`, { key: partner.key, body });

async function findSecrets(): Promise<string[]> {
  const found = [];
  for (const secret of secrets) {
    found.push(...(await findText(svc.db, secret)).map((table) => `${secret} in ${table}`));
  }
  return found;
}

async function changesOf(externalId: string): Promise<string[][]> {
  const bodies = await rowsOf<{ body: string }>(
    svc.db,
    sql`
    select body from webhook_messages
    where subject = ${externalId} and type = 'tenant.updated' order by id`,
  );
  return bodies.map(({ body }) => JSON.parse(body).data.changed);
}

test('no table contains a name, an e-mail address or a phone number in clear text', async () => {
  const tenant = await withPlan(svc, partner, 't-grace');
  await report('t-grace', grace);
  await tenant.simulate('fail_next_payment', { return_code: 'R02' });
  await tenant.simulate('advance_clock', { by: 'P20D' });
  expect((await tenant.state()).data.tenant.first_name).toBe('Gracelyn');
  await svc.call('POST', '/tenant/portal_info/t-grace', {
    key: partner.key,
    body: grace,
    headers: { 'idempotency-key': 'stored-answer' },
  });
  expect(await findSecrets()).toEqual([]);
  expect(svc.lines.join('')).not.toMatch(/Gracelyn|Hopperton|navy\.example|5550147/);
  expect(await readPersonal(svc, 't-grace')).toEqual({
    firstName: 'Gracelyn',
    lastName: 'Hopperton',
    email: 'gracelyn@navy.example',
    phoneNumber: '+12025550147',
  });
});

test('changes are found by comparing plain values, and an unchanged report writes no new ciphertext', async () => {
  const read = () =>
    oneRowOf<{ personal: Buffer; key: Buffer }>(
      svc.db,
      sql`select personal, key_sealed as key from tenant where external_id = 't-same'`,
    );
  await report('t-same', grace);
  const first = await read();
  await report('t-same', grace);
  expect(await read()).toEqual(first);
  expect(await changesOf('t-same')).toEqual([]);
  const { phone_number: _, ...withoutPhone } = grace;
  await report('t-same', { ...withoutPhone, last_name: 'Lovelace' });
  const third = await read();
  expect(third.key).toEqual(first.key);
  expect(third.personal).not.toEqual(first.personal);
  expect(await changesOf('t-same')).toEqual([['last_name']]);
  expect(await readPersonal(svc, 't-same')).toMatchObject({
    lastName: 'Lovelace',
    phoneNumber: '+12025550147',
  });
});

test('every tenant has its own key, and data or keys of another tenant are refused', async () => {
  await report('t-one', grace);
  await report('t-two', { ...grace, first_name: 'Ada' });
  const swap = (column: 'personal' | 'key_sealed') =>
    column === 'personal'
      ? svc.db.run(sql`
          update tenant t set personal = o.personal from tenant o
          where t.partner_id = ${partner.id} and o.partner_id = ${partner.id}
            and t.external_id in ('t-one', 't-two') and o.external_id in ('t-one', 't-two')
            and o.id <> t.id`)
      : svc.db.run(sql`
          update tenant t set key_sealed = o.key_sealed from tenant o
          where t.partner_id = ${partner.id} and o.partner_id = ${partner.id}
            and t.external_id in ('t-one', 't-two') and o.external_id in ('t-one', 't-two')
            and o.id <> t.id`);
  await swap('personal');
  await expect(readPersonal(svc, 't-one')).rejects.toThrow('does not belong to its key');
  expect((await report('t-one', grace)).status).toBe(500);
  // The data of the other tenant with that tenant's key: its id still does not fit.
  await swap('key_sealed');
  await expect(readPersonal(svc, 't-one')).rejects.toThrow('unable to authenticate');
  await swap('personal');
  await swap('key_sealed');
  expect(await readPersonal(svc, 't-one')).toMatchObject({ firstName: 'Gracelyn' });
});

test('personal data stays readable when the secret key is replaced, and needs one of its keys', async () => {
  await report('t-rotated', grace);
  const read = (vault: ReturnType<typeof createVault>) =>
    readPersonal({ db: svc.db, service: { ...svc.service, vault } }, 't-rotated');
  await expect(read(createVault(newKey))).rejects.toThrow('not in SVC_SECRET_KEY');
  const both = createVault(newKey, oldKey);
  expect((await rotateSecret(svc.db, both)).remaining).toBe(0);
  expect(await read(createVault(newKey))).toMatchObject({ firstName: 'Gracelyn' });
  await expect(read(createVault(oldKey))).rejects.toThrow('not in SVC_SECRET_KEY');
  // The service of this test has the old key only.
  expect((await rotateSecret(svc.db, createVault(oldKey, newKey))).remaining).toBe(0);
});

describe('beside a service before 0.3.0', () => {
  const setClear = async (kept: boolean) => {
    Object.assign(svc.service, { keepsClearNames: kept });
    await svc.db.run(sql`update installation set clear_names = ${kept}`);
  };
  const readClear = (externalId: string) =>
    oneRowOf<{ first_name: string | null; email: string | null }>(
      svc.db,
      sql`select first_name, email from tenant where external_id = ${externalId}`,
    );

  test('both see what the other one stored, until "tenant seal" leaves no clear text', async () => {
    await setClear(true);
    await report('t-both', grace);
    expect(await readClear('t-both')).toEqual({ first_name: 'Gracelyn', email: grace.email });
    // The older service knows the clear columns only.
    await svc.db.run(sql`
      update tenant set email = 'new@navy.example', version = version + 1
      where external_id = 't-both'`);
    await svc.db.run(sql`
      insert into tenant (id, partner_id, external_id, first_name, last_name, email, phone_number,
        created_at, updated_at)
      values ('ten_older', ${partner.id}, 't-older', 'Gracelyn', 'Hopperton', 'older@navy.example',
        '+12025550147', ${svc.clock.now()}, ${svc.clock.now()})`);
    expect(await readPersonal(svc, 't-both')).toMatchObject({ email: 'new@navy.example' });
    await report('t-older', { ...grace, email: 'older@navy.example' });
    expect(await changesOf('t-older')).toEqual([['charges', 'lease']]);

    expect(await sealPersonalData(svc.db, svc.service.vault)).toEqual({ sealed: 2, remaining: 0 });
    expect(await findSecrets()).toEqual([]);
    expect(await readPersonal(svc, 't-both')).toMatchObject({ email: 'new@navy.example' });
    expect(await readPersonal(svc, 't-older')).toMatchObject({ email: 'older@navy.example' });
    expect(await readSchemaState(svc.db, migrationFiles, '0.2.0')).toMatchObject({
      mismatch: { message: expect.stringContaining('needs version 0.3.0') },
    });

    // This process started before the command, so it continues to write clear text.
    await report('t-both', { ...grace, last_name: 'Lovelace' });
    expect(await readClear('t-both')).toMatchObject({ first_name: 'Gracelyn' });
    await setClear(false);
    expect(await sealPersonalData(svc.db, svc.service.vault)).toEqual({ sealed: 1, remaining: 0 });
    expect(await sealPersonalData(svc.db, svc.service.vault)).toEqual({ sealed: 0, remaining: 0 });
    expect(await findSecrets()).toEqual([]);
  });

  test('more tenants than fit into one batch are encrypted, and a report meanwhile is kept', async () => {
    await svc.db.run(sql`
      insert into tenant (id, partner_id, external_id, first_name, last_name, email, created_at,
        updated_at)
      select 'ten_many' || n, ${partner.id}, 't-many-' || n, 'Gracelyn', 'Hopperton',
        n || '@navy.example', ${svc.clock.now()}::timestamptz, ${svc.clock.now()}::timestamptz
      from generate_series(1, 450) n`);
    let reported = false;
    const reporting: Database = Object.assign(Object.create(svc.db), {
      async transaction(work: (tx: Tx) => Promise<unknown>) {
        // Between the first batch's read and its write.
        if (!reported && (await readClear('t-many-1')).first_name) {
          reported = true;
          await report('t-many-1', { ...grace, first_name: 'Grace-Ann' });
        }
        return svc.db.transaction(work);
      },
    });
    expect(await sealPersonalData(reporting, svc.service.vault)).toEqual({
      sealed: 449,
      remaining: 0,
    });
    expect(await readPersonal(svc, 't-many-1')).toMatchObject({ firstName: 'Grace-Ann' });
    expect(await readPersonal(svc, 't-many-450')).toMatchObject({ email: '450@navy.example' });
    expect(await findSecrets()).toEqual([]);
  });

  test('a link mailed before still works afterwards, and not after a change of address', async () => {
    await setClear(true);
    await withPlan(svc, partner, 't-linked');
    const { id, partner_id, hmac } = await oneRowOf<{
      id: string;
      partner_id: string;
      hmac: Buffer;
    }>(
      svc.db,
      sql`select id, partner_id, email_hmac as hmac from tenant where external_id = 't-linked'`,
    );
    const tenant = { partnerId: partner_id, tenantId: id, productVariant: 'rent' as const };
    const addressedTo = { hmac, sha256: sha256(ada.email) };
    const ctx = { now: svc.clock.now() };
    const [link, later] = await svc.db.transaction((tx) =>
      Promise.all([
        createMailLink({ ...ctx, tx }, { ...tenant, addressedTo }),
        createMailLink({ ...ctx, tx }, { ...tenant, addressedTo }),
      ]),
    );
    const open = (secret: string) =>
      svc.call('POST', '/experience/link', {
        body: { link: secret, nonce: 'nonce-of-this-page-1' },
      });
    await setClear(false);
    await sealPersonalData(svc.db, svc.service.vault);
    expect((await open(link)).status).toBe(200);
    expect(
      await rowsOf(svc.db, sql`select from tenant_token where email_sha256 is not null`),
    ).toEqual([]);
    await report('t-linked', grace);
    expect((await open(later)).error?.message).toContain('another e-mail address');
  });
});

/** Columns whose text comes from a fixed list or is an id. */
const vocabulary =
  /(^|_)ids?$|_type$|^(state|states|status|kind|type|outcome|reasons|decline_reasons|underwriting_result|eligibility_state|eligibility_reason|return_code|policy_version|brand|product_variant|locale|time_zone|environment|action|via|pms|scope|trigger|node|owner|subject|event_types|error_class|reached|migration|source|name|checksum|oldest_service|last_key)$/;

test('the security page names every column that can hold free text', async () => {
  const page = await readFile(new URL('../../../docs/security.md', import.meta.url), 'utf8');
  const columns = await rowsOf<{ table: string; column: string }>(
    svc.db,
    sql`
    select table_name::text as table, column_name::text as column from information_schema.columns
    where table_schema = 'public' and table_name not like 'svc_%'
      and table_name in (select relname from pg_class
        where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
          and not relispartition)
      and data_type in ('text', 'json', 'jsonb', 'ARRAY') order by 1, 2`,
  );
  const missing = columns
    .filter(({ column }) => !vocabulary.test(column))
    .map(({ table, column }) => ({ table, name: `${table}.${column}` }))
    .filter(({ table, name }) => !page.includes(`\`${name}\``) && !page.includes(`\`${table}.*\``));
  expect(missing.map(({ name }) => name)).toEqual([]);
});

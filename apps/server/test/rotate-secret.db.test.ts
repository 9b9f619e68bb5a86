import { randomBytes } from 'node:crypto';
import { bytes, type Database, listOf, type Row, raw, row, type Sql, sql, text } from '@svc/db';
import { createVault, type Vault } from '@svc/runtime';
import { expect, test } from 'vitest';
import { verifyFromCheckpoints } from '../src/domain/ledger/verify.ts';
import { rotateSecret, sealedColumns } from '../src/operator/rotate-secret.ts';
import { useService } from './harness.ts';
import { withPlan } from './journeys/with-plan.ts';
import { downloadDocument } from './support/download-document.ts';

const [oldKey, newKey] = [randomBytes(32), randomBytes(32)];
const svc = await useService({ secretKeys: [oldKey] });
const both = createVault(newKey, oldKey);

const number = '+12125550123';

/** Stores at least one value in every sealed column. */
async function storeSecrets(): Promise<void> {
  const partner = await svc.newPartner();
  await svc.call('POST', '/webhooks/endpoints', {
    key: partner.key,
    headers: { 'idempotency-key': 'stored-answer' },
    body: {
      url: 'https://hooks.example/svc',
      auth: { type: 'basic', username: 'svc', password: 'correct horse' },
      headers: { 'x-team': 'payments' },
      asymmetric_signature: true,
    },
  });
  const tenant = await withPlan(svc, partner, 'ada');
  await downloadDocument({
    url: svc.url,
    session: tenant.exchanged.data.session,
    document: `agreement/${tenant.plan.id}`,
  });
  await tenant.simulate('advance_clock', { by: 'P1M' });
  const { id: tenantId } = await svc.db.one(
    row('tenant', { id: text }),
    sql`select id from tenant where partner_id = ${partner.id} and external_id = 'ada'`,
  );
  const old = createVault(oldKey);
  await svc.db.run(sql`
    insert into text_consent (partner_id, id, tenant_id, number_sealed, number_hmac, consent_text,
      consent_version, locale, code_expires_at, tries_left, requested_at)
    values (${partner.id}, 'txc_1', ${tenantId}, ${old.seal(number, tenantId)},
      ${old.digests(number)[0]}, '', '1', 'en', now(), 0, now())`);
  await svc.db.run(sql`
    insert into operator (id, name, role, created_at) values ('opr_1', 'Olga', 'admin', now())`);
  await svc.db.run(sql`
    insert into operator_password (operator_id, salt, scrypt, totp_sealed, totp_step, created_at)
    values ('opr_1', '', '', ${old.seal('app', 'opr_1')}, 0, now())`);
  await svc.db.run(sql`
    update tenant set paydays_sealed = ${old.seal('paydays', tenantId)} where id = ${tenantId}`);
  const { id: decisionId, application } = await svc.db.one(
    row('decision', { id: text, application: text }),
    sql`select id, application_id as application from decision where partner_id = ${partner.id} limit 1`,
  );
  await svc.db.run(sql`
    update decision set details_sealed = ${old.seal('details', decisionId)} where id = ${decisionId}`);
  await svc.db.run(sql`
    update application set ssn_sealed = ${old.seal('6789', application)} where id = ${application}`);
  await svc.db.run(sql`
    insert into review (partner_id, application_id, facts, due_at, details_sealed)
    values (${partner.id}, ${application}, '{}', '2100-01-01', ${old.seal('details', application)})`);
  await svc.db.run(sql`
    update mail set link_sealed = ${createVault(oldKey).seal('link', 'mal_1')}, id = 'mal_1'
    where (partner_id, id) = (select partner_id, id from mail limit 1)`);
}

const sealedRow = row('sealed value', { key: listOf(text), sealed: bytes });

/** Opens every stored secret and returns how many there are in each column. */
async function openAll(vault: Vault): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { table, column, key, contextOf } of sealedColumns) {
    const keys = raw(key.map((each) => `${each}::text`).join(', '));
    const found = await svc.db.many(
      sealedRow,
      sql`
      select array[${keys}] as key, ${raw(column)} as sealed from ${raw(table)} /* all partners */
      where ${raw(column)} is not null`,
    );
    for (const each of found) vault.open(each.sealed, contextOf(each.key));
    counts[`${table}.${column}`] = found.length;
  }
  return counts;
}

test('the list of sealed columns is complete', async () => {
  const { columns } = await svc.db.one(
    row('columns', { columns: listOf(text) }),
    sql`
    select array_agg(table_name || '.' || column_name) as columns from information_schema.columns
    where table_schema = 'public' and data_type = 'bytea' and column_name like '%sealed%'`,
  );
  const listed = sealedColumns.map(({ table, column }) => `${table}.${column}`);
  expect(listed.toSorted()).toEqual(columns.toSorted());
});

test('every stored secret is sealed again, and then the old key is not needed', async () => {
  await storeSecrets();
  const before = await openAll(createVault(oldKey));
  expect(Object.values(before)).not.toContain(0);
  await expect(openAll(createVault(newKey))).rejects.toThrow('not in SVC_SECRET_KEY');
  const stored = Object.values(before).reduce((sum, count) => sum + count, 0);
  expect(await rotateSecret(svc.db, both)).toEqual({ resealed: stored, remaining: 0 });
  expect(await openAll(createVault(newKey))).toEqual(before);
  // A number is found by its digest, which depends on the key, too.
  const { digest } = await svc.db.one(
    row('consent', { digest: bytes }),
    sql`select number_hmac as digest from text_consent /* all partners */`,
  );
  expect(digest).toEqual(createVault(newKey).digests(number)[0]);
  const { fingerprint } = await svc.db.one(
    row('installation', { fingerprint: bytes }),
    sql`select secret_key_fingerprint as fingerprint from installation`,
  );
  expect(fingerprint).toEqual(createVault(newKey).fingerprints[0]);
  expect(await rotateSecret(svc.db, both)).toEqual({ resealed: 0, remaining: 0 });
});

test('secrets that a process with the old key writes meanwhile are counted, and done by the next run', async () => {
  await svc.db.run(sql`
    update installation set secret_key_fingerprint = ${createVault(oldKey).fingerprints[0]}`);
  let wrote = false;
  // The service of this test has only the old key. It writes after the API keys were done.
  const writing: Database = Object.assign(Object.create(svc.db), {
    async many(declared: Row<object>, statement: Sql) {
      if (!wrote && statement.text.includes('from idempotency_key')) {
        wrote = true;
        await svc.newPartner();
      }
      return svc.db.many(declared, statement);
    },
  });
  expect(await rotateSecret(writing, both)).toEqual({ resealed: 0, remaining: 1 });
  const { fingerprint } = await svc.db.one(
    row('installation', { fingerprint: bytes }),
    sql`select secret_key_fingerprint as fingerprint from installation`,
  );
  expect(fingerprint).toEqual(createVault(oldKey).fingerprints[0]);
  expect(await rotateSecret(svc.db, both)).toEqual({ resealed: 1, remaining: 0 });
});

test('more values than fit into one batch are all sealed again', async () => {
  const vault = createVault(oldKey);
  const { partner_id } = await svc.db.one(
    row('partner', { partner_id: text }),
    sql`select id as partner_id from partner limit 1`,
  );
  await svc.db.transaction(async (tx) => {
    for (let index = 0; index < 450; index += 1) {
      const id = `key_batch_${index}`;
      await tx.run(sql`
        insert into api_key (partner_id, id, secret_sha256, secret_sealed, created_at)
        values (${partner_id}, ${id}, ${randomBytes(32)}, ${vault.seal('secret', id)}, now())`);
    }
  });
  expect(await rotateSecret(svc.db, both)).toEqual({ resealed: 450, remaining: 0 });
  await openAll(createVault(newKey));
});

test('checkpoints of the ledger start the next verification with the new key alone', async () => {
  await rotateSecret(svc.db, both);
  // The service of this test has the old key, so its checkpoints do, too.
  expect(await svc.administer({ command: 'ledger verify' })).toMatchObject({
    result: { faults: [] },
  });
  const partners = await svc.db.run(sql`select from ledger_checkpoint`);
  expect(await rotateSecret(svc.db, both)).toEqual({ resealed: partners, remaining: 0 });
  const { report } = await svc.db.transaction((tx) =>
    verifyFromCheckpoints(tx, { vault: createVault(newKey), full: false, now: svc.clock.now() }),
  );
  expect(report.faults).toEqual([]);
});

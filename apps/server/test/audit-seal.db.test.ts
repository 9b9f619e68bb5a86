import { randomBytes } from 'node:crypto';
import { raw, type Sql, sql } from '@svc/db';
import { oneRowOf, rowsOf } from '@svc/db/testing';
import { createVault } from '@svc/runtime';
import { expect, test } from 'vitest';
import { sealAudit } from '../src/domain/audit/seal.ts';
import type { AuditReport } from '../src/domain/audit/verify.ts';
import type { Listed } from '../src/domain/listed.ts';
import { tick } from '../src/jobs/tick.ts';
import { administer, describeResult } from '../src/operator/administer.ts';
import type { AuditLine } from '../src/operator/list-audit-log.ts';
import { type Running, useService } from './harness.ts';

const [oldKey, newKey] = [randomBytes(32), randomBytes(32)];
const svc = await useService({ secretKeys: [oldKey] });
const quiet = { info: () => {}, warn: () => {}, error: () => {} };
const url = 'http://127.0.0.1:9/hook';

type Partner = Awaited<ReturnType<Running['newPartner']>>;

/** A partner with six entries in two seals of three. */
async function withSeals(): Promise<Partner & { ids: string[] }> {
  const partner = await svc.newPartner();
  for (let batch = 0; batch < 2; batch += 1) {
    for (let each = 0; each < 3; each += 1) {
      await svc.call('POST', '/webhooks/endpoints', {
        key: partner.key,
        body: { url: `${url}/${batch}/${each}` },
      });
    }
    await tick({ ...svc, log: quiet });
  }
  const entries = await rowsOf<{ id: string }>(
    svc.db,
    sql`select id from audit_entry where partner_id = ${partner.id} order by id`,
  );
  return { ...partner, ids: entries.map((it) => it.id) };
}

/** Runs the statements with the triggers switched off, as only the owner of the tables can. */
async function tamper(...statements: Sql[]): Promise<void> {
  await svc.db.transaction(async (tx) => {
    for (const table of ['audit_entry', 'audit_seal']) {
      await tx.run(raw(`alter table ${table} disable trigger user`));
    }
    for (const statement of statements) await tx.run(statement);
    for (const table of ['audit_entry', 'audit_seal']) {
      await tx.run(raw(`alter table ${table} enable trigger user`));
    }
  });
}

async function verify(vault = createVault(oldKey)): Promise<AuditReport> {
  const answer = await administer(
    { ...svc, commands: { ...svc.commands, vault }, log: quiet },
    { command: 'audit verify' },
    { user: 'ops-ada' },
  );
  if (!answer.ok) throw new Error(answer.message);
  return answer.result as AuditReport;
}

async function faultsOf({ pms }: Partner): Promise<readonly string[]> {
  return (await verify()).chains.find(({ chain }) => chain === pms)?.faults ?? ['no chain'];
}

test('entries are sealed in batches, and an untouched chain has no faults', async () => {
  const partner = await withSeals();
  const report = await verify();
  expect(report.faults).toEqual([]);
  expect(report.chains.find(({ chain }) => chain === partner.pms)).toEqual({
    chain: partner.pms,
    entries: 6,
    seals: 2,
    unsealed: 0,
    last_seal: expect.stringMatching(/^2 [0-9a-f]{64}$/),
    faults: [],
  });
  const text = describeResult({ command: 'audit verify' }, report);
  expect(text).toContain('Every sealed entry is as it was written.');
});

test('update, delete and truncate are refused by triggers', async () => {
  const { id } = await withSeals();
  const changes = [
    sql`update audit_entry set action = 'key.revoked' where partner_id = ${id}`,
    sql`delete from audit_entry where partner_id = ${id}`,
    sql`truncate audit_entry`,
    sql`update audit_seal set number = number + 1 where partner_id = ${id}`,
    sql`delete from audit_seal where partner_id = ${id}`,
    sql`truncate audit_seal`,
  ];
  for (const change of changes) await expect(svc.db.run(change)).rejects.toThrow('append-only');
});

test.each([
  ['action', sql`action = 'endpoint.deleted'`],
  ['details', sql`details = '{"url":"https://other.example"}'`],
  ['credential', sql`credential_id = 'key_other'`],
  ['address', sql`address = '203.0.113.9'`],
  ['time, by a microsecond', sql`occurred_at = occurred_at + interval '1 microsecond'`],
])('a changed %s is found at its place', async (_what, change) => {
  const partner = await withSeals();
  const { id, pms, ids } = partner;
  await tamper(sql`update audit_entry set ${change} where partner_id = ${id} and id = ${ids[4]}`);
  expect(await faultsOf(partner)).toEqual([
    `Entry ${ids[4]} of ${pms}, 2 of 3 in seal 2, was changed.`,
  ]);
});

test('a missing entry is found at its place', async () => {
  const partner = await withSeals();
  const { id, pms, ids } = partner;
  await tamper(sql`delete from audit_entry where partner_id = ${id} and id = ${ids[0]}`);
  expect(await faultsOf(partner)).toEqual([
    `Entry ${ids[0]} of ${pms}, 1 of 3 in seal 1, is missing.`,
  ]);
});

test('an entry that is deleted before its seal is missing', async () => {
  const partner = await withSeals();
  const { id, pms, key } = partner;
  await svc.call('POST', '/webhooks/endpoints', { key, body: { url: `${url}/gone` } });
  const { entry_id } = await oneRowOf<{ entry_id: string }>(
    svc.db,
    sql`select entry_id from audit_unsealed where partner_id = ${id}`,
  );
  await tamper(sql`delete from audit_entry where partner_id = ${id} and id = ${entry_id}`);
  await tick({ ...svc, log: quiet });
  expect(await faultsOf(partner)).toEqual([
    `Entry ${entry_id} of ${pms} is missing: it was deleted before it was sealed.`,
  ]);
  await tamper(sql`delete from audit_unsealed where partner_id = ${id}`);
});

test('an inserted entry is found', async () => {
  const partner = await withSeals();
  const { id, pms, ids } = partner;
  const inserted = `${ids[2]?.slice(0, -4)}zzzz`;
  await tamper(sql`
    insert into audit_entry (id, partner_id, action, via, credential_id, details, request_id, occurred_at)
    select ${inserted}, partner_id, action, via, credential_id, details, request_id, occurred_at
    from audit_entry where partner_id = ${id} and id = ${ids[2]}`);
  expect(await faultsOf(partner)).toEqual([
    `Entry ${inserted} of ${pms} is in no seal and waits for none: it was inserted past the service.`,
  ]);
});

test('entries that trade places are found, in the table and in a seal', async () => {
  const partner = await withSeals();
  const { id, pms, ids } = partner;
  await tamper(sql`
    update audit_entry e set details = o.details from audit_entry o
    where e.partner_id = ${id} and o.partner_id = ${id}
      and (e.id, o.id) in ((${ids[0]}, ${ids[1]}), (${ids[1]}, ${ids[0]}))`);
  expect(await faultsOf(partner)).toEqual([
    `Entry ${ids[0]} of ${pms}, 1 of 3 in seal 1, was changed.`,
    `Entry ${ids[1]} of ${pms}, 2 of 3 in seal 1, was changed.`,
  ]);
  const other = await withSeals();
  const [a, b, c] = other.ids.slice(3);
  await tamper(sql`
    update audit_seal set entry_ids = ${[b ?? '', a ?? '', c ?? '']}::text[],
      entry_sha256s = array[entry_sha256s[2], entry_sha256s[1], entry_sha256s[3]]
    where partner_id = ${other.id} and number = 2`);
  expect(await faultsOf(other)).toEqual([
    `Seal 2 of ${other.pms} was changed: its list of entries does not match its hash.`,
  ]);
});

test('missing, reordered and cut off seals are found', async () => {
  const first = await withSeals();
  await tamper(sql`delete from audit_seal where partner_id = ${first.id} and number = 1`);
  expect(await faultsOf(first)).toEqual([
    `Seal 2 of ${first.pms} is not the first of its chain: seals before it are missing.`,
    ...first.ids
      .slice(0, 3)
      .map(
        (id) =>
          `Entry ${id} of ${first.pms} is in no seal and waits for none: it was inserted past the service.`,
      ),
  ]);
  const second = await withSeals();
  await tamper(sql`
    update audit_seal set number = 10 - number where partner_id = ${second.id}`);
  const faults = await faultsOf(second);
  expect(faults).toContain(
    `Seal 9 of ${second.pms} does not follow seal 8: seals are missing, inserted or reordered.`,
  );
  const third = await withSeals();
  await tamper(sql`delete from audit_seal where partner_id = ${third.id} and number = 2`);
  expect(await faultsOf(third)).toHaveLength(3);
});

test('a chain that was recomputed without the key is found', async () => {
  const partner = await withSeals();
  const { id, pms, ids } = partner;
  const forger = createVault(randomBytes(32));
  await tamper(
    sql`delete from audit_seal where partner_id = ${id}`,
    sql`update audit_entry set credential_id = 'key_other' where partner_id = ${id} and id = ${ids[0]}`,
    sql`insert into audit_unsealed select partner_id, id from audit_entry where partner_id = ${id}`,
  );
  await svc.db.transaction((tx) =>
    sealAudit(
      { tx, now: svc.clock.now(), service: { ...svc.service, vault: forger } },
      { partnerId: id, limit: 100 },
    ),
  );
  expect(await faultsOf(partner)).toEqual([
    expect.stringContaining(
      `Seal 1 of ${pms} cannot be trusted: no key in SVC_SECRET_KEY has signed`,
    ),
  ]);
  await tamper(
    sql`delete from audit_seal where partner_id = ${id}`,
    sql`delete from audit_entry where partner_id = ${id}`,
  );
});

test('entries of 400 days expire without a fault', async () => {
  const partner = await withSeals();
  const day = 86_400_000;
  svc.clock.advance(401 * day);
  await tick({ ...svc, log: quiet });
  expect(await faultsOf(partner)).toEqual([]);
  const { count } = await oneRowOf<{ count: number }>(
    svc.db,
    sql`select count(*) from audit_entry where partner_id = ${partner.id}`,
  );
  expect(count).toBe(0);
});

test('"secret rotate" signs each chain with the new key, and then the old key is not needed', async () => {
  const own = await withSeals();
  const both = createVault(newKey, oldKey);
  expect((await verify(createVault(newKey))).faults.join('\n')).toContain(
    `Seals 1 to 2 of ${own.pms} cannot be trusted`,
  );
  const parts = {
    ...svc,
    commands: { ...svc.commands, vault: both, service: { ...svc.service, vault: both } },
    log: quiet,
  };
  // Chains that other tests have tampered with are not signed.
  const rotated = await administer(
    parts,
    { command: 'secret rotate' },
    { user: 'ops-ada', reason: 'leaver' },
  );
  expect(rotated).toMatchObject({ ok: true, result: { chains_with_faults: expect.any(Number) } });
  const after = await verify(createVault(newKey));
  expect(after.chains.find(({ chain }) => chain === own.pms)).toMatchObject({
    seals: 3,
    faults: [],
  });
  const listed = await svc.administer({ command: 'audit list', pms: 'operator' });
  const { items } = (listed as { result: Listed<AuditLine> }).result;
  expect(items[0]).toMatchObject({
    pms: 'operator',
    action: 'vault.rotated',
    person: 'ops-ada',
    details: { reason: 'leaver', remaining: 0 },
  });
});

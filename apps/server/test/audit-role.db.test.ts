import { openDatabase, raw, type Sql, sql } from '@svc/db';
import { oneRowOf, testKind } from '@svc/db/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readConfig } from '../src/config.ts';
import { tick } from '../src/jobs/tick.ts';
import { startRunning } from './harness.ts';
import { withPlan } from './journeys/with-plan.ts';
import { runSchemaCommand } from './support/run-schema-command.ts';
import { serviceTarget, serviceUrl } from './support/service-database.ts';

const quiet = { info: () => {}, warn: () => {}, error: () => {} };
const role = `svc_serve_${process.pid}`;

async function grant(url: string | undefined, to = role): Promise<string> {
  const settings = url === undefined ? { SVC_DATA_DIR: embedded } : { DATABASE_URL: url };
  const line = `migrate grant ${to} --reason setup`;
  return (await runSchemaCommand(line, readConfig(settings))).output;
}

let embedded = '';

test.runIf(testKind() === 'pglite')('the embedded database has one role, and says so', async () => {
  const { target, drop } = await serviceTarget();
  embedded = 'dataDir' in target ? target.dataDir : '';
  expect(await grant(undefined)).toBe(
    'The embedded database has one role, which owns everything. Set DATABASE_URL to use a PostgreSQL server.',
  );
  await drop();
});

describe.skipIf(testKind() === 'pglite')(
  'the service with a role that "migrate grant" has limited',
  () => {
    let owner: Awaited<ReturnType<typeof openDatabase>>;
    let database: Awaited<ReturnType<typeof serviceUrl>>;
    let url = '';
    let svc: Awaited<ReturnType<typeof startRunning>>;

    beforeAll(async () => {
      database = await serviceUrl();
      url = database.url;
      owner = await openDatabase({ url });
      await owner.run(raw(`create role ${role} login password 'secret'`));
      await grant(url);
      const limited = new URL(url);
      limited.username = role;
      limited.password = 'secret';
      svc = await startRunning({ database: { url: limited.href } });
    });

    // Roles belong to the whole server, which other test files use too.
    afterAll(async () => {
      await svc.close();
      await owner.run(raw(`drop owned by ${role}`));
      await owner.run(raw(`drop role ${role}`));
      await owner.close();
      await database.drop();
    });

    test('a whole journey works: partner, plan, payments, webhooks, clock, seals', async () => {
      const who = await oneRowOf<{ role: string }>(svc.db, sql`select current_user::text as role`);
      expect(who.role).toBe(role);
      const created = await svc.administer({ command: 'partner create', pms: 'oak' });
      expect(created).toMatchObject({ ok: true });
      const partner = await svc.newPartner();
      const hook = await svc.call('POST', '/webhooks/endpoints', {
        key: partner.key,
        body: { url: 'http://127.0.0.1:9/hook' },
      });
      expect(hook.status).toBe(200);
      const tenant = await withPlan(svc, partner, 'ada');
      await tenant.simulate('advance_clock', { by: 'P1M' });
      expect((await tenant.read()).state).toBe('completed');
      await tick({ ...svc, log: quiet });
      expect(svc.lines.filter((line) => line.includes('permission denied'))).toEqual([]);
      const verified = await svc.administer({ command: 'audit verify' });
      expect(verified).toMatchObject({
        ok: true,
        result: { faults: [], role, role_may_change: false },
      });
      const ledger = await svc.administer({ command: 'ledger verify' });
      expect(ledger).toMatchObject({ ok: true, result: { faults: [] } });
    });

    test('entries and seals cannot be changed, deleted or truncated, nor their triggers switched off', async () => {
      const attacks: Sql[] = [
        sql`update audit_entry set action = 'key.revoked' /* all partners */`,
        sql`delete from audit_entry /* all partners */`,
        sql`truncate audit_entry`,
        sql`update audit_seal set mac = mac /* all partners */`,
        sql`delete from audit_seal /* all partners */`,
        sql`truncate audit_seal`,
      ];
      for (const attack of attacks) {
        await expect(svc.db.run(attack)).rejects.toThrow('permission denied');
        // The old way to expire entries: the session says itself what is old.
        const withSetting = svc.db.transaction(async (tx) => {
          await tx.run(sql`select set_config('svc.audit_kept_since', '2999-01-01', true)`);
          await tx.run(attack);
        });
        await expect(withSetting).rejects.toThrow('permission denied');
      }
      for (const statement of [
        'alter table audit_entry disable trigger user',
        'drop table audit_entry cascade',
        'create or replace function audit_note_unsealed() returns trigger language plpgsql as $$ begin return null; end $$',
      ]) {
        await expect(svc.db.run(raw(statement))).rejects.toThrow(/must be owner|permission denied/);
      }
    });

    test('the service deletes nothing that is younger than 400 days by the database’s clock', async () => {
      const count = async () =>
        (await oneRowOf<{ count: number }>(svc.db, sql`select count(*) from audit_entry`)).count;
      const before = await count();
      expect(before).toBeGreaterThan(0);
      await svc.db.run(sql`
      insert into audit_entry (id, partner_id, action, via, credential_id, details, request_id, occurred_at)
      values ('aud_old', 'operator', 'money.stopped', 'cli', 'ops', '{}', 'req_1',
        clock_timestamp() - interval '401 days'),
        ('aud_new', 'operator', 'money.stopped', 'cli', 'ops', '{}', 'req_1',
        clock_timestamp() - interval '399 days')`);
      await svc.db.run(sql`select audit_delete_expired('2999-01-01', 1000)`);
      const left = await oneRowOf<{ old: boolean; young: boolean }>(
        svc.db,
        sql`select exists (select from audit_entry where id = 'aud_old') as old,
        exists (select from audit_entry where id = 'aud_new') as young`,
      );
      expect(left).toEqual({ old: false, young: true });
    });

    test('"migrate grant" writes an entry, can be repeated, and refuses roles that it cannot limit', async () => {
      expect(await grant(url)).toContain(`${role} can run the service in the database`);
      const { details } = await oneRowOf<{ details: object }>(
        owner,
        sql`
      select details from audit_entry where partner_id = 'operator' and action = 'schema.granted'
      order by id desc limit 1`,
      );
      expect(details).toEqual({ role, reason: 'setup' });
      await owner.run(raw(`create role ${role}_2`));
      const limited = new URL(url);
      limited.username = role;
      expect(await grant(limited.href, `${role}_2`)).toBe(
        'Run this command as the role postgres, which owns the tables: put it into DATABASE_URL.',
      );
      await owner.run(raw(`drop role ${role}_2`));
      expect(await grant(url, 'svc_nobody')).toContain('There is no role svc_nobody.');
      expect(await grant(url, 'postgres')).toContain('is a superuser');
    });
  },
);

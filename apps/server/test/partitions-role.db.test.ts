import { boolean, listOf, mayMaintain, openDatabase, raw, row, sql, text } from '@svc/db';
import { oneRowOf, testKind } from '@svc/db/testing';
import { newId } from '@svc/webhooks';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readConfig } from '../src/config.ts';
import { runLane } from '../src/jobs/lane.ts';
import { ledgerPartitionsLane } from '../src/jobs/ledger-partitions.ts';
import { keepPartitions } from '../src/operator/keep-partitions.ts';
import { startRunning } from './harness.ts';
import { runSchemaCommand } from './support/run-schema-command.ts';
import { serviceUrl } from './support/service-database.ts';

const day = 86_400_000;
const quiet = { info: () => {}, warn: () => {}, error: () => {} };
const role = `svc_parts_${process.pid}`;
const by = { user: 'ops-ada', reason: 'monthly' };
/** After everything that the migrations and `migrate grant` create by the real clock. */
const year = new Date().getUTCFullYear() + 3;

describe.skipIf(testKind() === 'pglite')(
  'partitions of a service whose role owns no tables',
  () => {
    let owner: Awaited<ReturnType<typeof openDatabase>>;
    let database: Awaited<ReturnType<typeof serviceUrl>>;
    let ownerUrl = '';
    let limitedUrl = '';
    let svc: Awaited<ReturnType<typeof startRunning>> | undefined;

    beforeEach(async () => {
      database = await serviceUrl();
      ownerUrl = database.url;
      owner = await openDatabase({ url: ownerUrl });
      await owner.run(raw(`create role ${role} login password 'secret'`));
      const limited = new URL(ownerUrl);
      limited.username = role;
      limited.password = 'secret';
      limitedUrl = limited.href;
    });

    // Roles belong to the whole server, which other test files use too.
    afterEach(async () => {
      await svc?.close();
      svc = undefined;
      await owner.run(raw(`drop owned by ${role}`));
      await owner.run(raw(`drop role ${role}`));
      await owner.close();
      await database.drop();
    });

    const run = (line: string, url = ownerUrl) =>
      runSchemaCommand(line, readConfig({ DATABASE_URL: url }));

    const keep = (at: Date) => keepPartitions(owner, { now: at, retentionDays: 90, by });

    test('a quarter without the command loses nothing and is reported once; the command catches up', async () => {
      await run(`migrate grant ${role} --reason monthly`);
      const start = new Date(`${year}-01-20T15:00:00Z`);
      expect(await keep(start)).toMatchObject({ complete: true, notes: [] });
      const service = await startRunning({ database: { url: limitedUrl } }, start.toISOString());
      svc = service;
      const { clock, db, engine } = service;
      const partner = await service.newPartner();
      const publish = async () => {
        const id = newId('evt', clock.now());
        const message = { id, owner: partner.id, subject: null, type: 'plan.created', body: '{}' };
        await engine.publish([message]);
        return id;
      };
      const placeOf = async (id: string) => {
        const found = await db.maybe(
          row('partition of a message', { name: text }),
          sql`
          select tableoid::regclass::text as name from webhook_messages
          where owner = ${partner.id} and id = ${id}`,
        );
        return found?.name;
      };
      const reports = () =>
        service.lines
          .map((line) => JSON.parse(line) as { level: string | number; msg: string })
          .filter(({ msg }) => /partition/.test(msg))
          .map(({ msg }) => msg);
      const countExpired = sql`
        select count(*) from webhook_activity where endpoint_id = 'ep_expired'`;
      /**
       * Each turn of upkeep deletes expired counts first, and looks at the partitions if an hour has passed.
       * The second turn is a whole one that looks. The third begins when the second has ended, and does
       * not look, so that no check runs beside the rest of the test.
       */
      const runUpkeep = async () => {
        for (let turn = 0; turn < 3; turn += 1) {
          await db.run(sql`
            insert into webhook_activity
              (owner, endpoint_id, step_seconds, at, duration, delivered, failed)
            values (${partner.id}, 'ep_expired', 86400, '2020-01-01T00:00:00Z', 1, 1, 0)`);
          if (turn < 2) clock.advance(3_600_000);
          await expect
            .poll(
              async () => {
                clock.advance(5_000);
                return (await oneRowOf<{ count: number }>(db, countExpired)).count;
              },
              { timeout: 20_000 },
            )
            .toBe(0);
        }
      };

      const first = await publish();
      expect(await placeOf(first)).toBe(`webhook_messages_${year}_01`);

      // A year later, the partitions that were created have ended in January.
      clock.advance(358 * day);
      const ids = [];
      for (let month = 0; month < 3; month += 1) {
        clock.advance(28 * day);
        ids.push(await publish());
        // Upkeep comes last: a clock that moved after it would start a check during the owner's command.
        await runUpkeep();
      }
      for (const id of ids) expect(await placeOf(id)).toBe('webhook_messages_default');
      const missing = (table: string) =>
        `${table} has no partition after ${table}_${year + 1}_01; the database role of the service does not own the tables, so run "svc-admin migrate partitions" every month as the role that does. Rows without one are kept in ${table}_default, and nothing is lost.`;
      const all = reports();
      for (const table of ['webhook_messages', 'webhook_attempts']) {
        expect(all.filter((line) => line === missing(table))).toHaveLength(1);
        const expired = all.filter(
          (line) => line.startsWith(table) && line.includes('expired more than a month ago'),
        );
        expect(expired).toHaveLength(1);
      }
      expect(all).toHaveLength(4);
      expect(service.lines.filter((line) => /permission denied|must be owner/.test(line))).toEqual(
        [],
      );

      const { complete, created, dropped, notes } = await keep(clock.now());
      expect({ complete, notes }).toEqual({ complete: true, notes: [] });
      // The default partition became the one of the quarter, and of the current month.
      const [place] = await Promise.all(ids.map(placeOf));
      expect(place).toBe(`webhook_messages_${year + 1}_02`);
      expect(created).toContain(place);
      expect(dropped).toContain(`webhook_messages_${year}_01`);
      expect(dropped).toContain(`webhook_attempts_${year}_01`);
      expect(await placeOf(first)).toBeUndefined();
      for (const id of ids) expect(await placeOf(id)).toBe(place);

      // The service works with the partitions that the owner created, and with the new default one.
      clock.advance(40 * day);
      const later = await publish();
      const partition = await placeOf(later);
      expect(created).toContain(partition);
      await runUpkeep();
      expect(reports().slice(all.length)).toEqual([
        'the partitions of webhook messages are complete again',
      ]);
      const { privileged } = await db.one(
        row('privileges', { privileged: boolean }),
        sql`
        select bool_and(${mayMaintain('c')} or current_setting('server_version_num')::integer < 170000)
          and bool_and(has_table_privilege(c.oid, 'select') and has_table_privilege(c.oid, 'insert')
            and has_table_privilege(c.oid, 'update') and has_table_privilege(c.oid, 'delete'))
          as privileged
        from pg_inherits i join pg_class c on c.oid = i.inhrelid
        where i.inhparent in ('webhook_messages'::regclass, 'webhook_attempts'::regclass,
          'ledger_transfer'::regclass, 'ledger_entry'::regclass)`,
      );
      expect(privileged).toBe(true);
      for (const statement of [
        `drop table ${partition}`,
        `alter table webhook_messages detach partition ${partition}`,
        `create table webhook_messages_9999_01 partition of webhook_messages for values from ('evt_y') to ('evt_z')`,
      ]) {
        await expect(db.run(raw(statement))).rejects.toThrow(/must be owner|permission denied/);
      }
    }, 60_000);

    test('the ledger’s lane reports a missing year once, and works with what the owner created', async () => {
      await run(`migrate grant ${role} --reason monthly`);
      await keep(new Date(`${year}-01-20T15:00:00Z`));
      const limited = await openDatabase({ url: limitedUrl });
      let at = new Date(`${year + 1}-10-01T00:00:00Z`);
      const logged: string[] = [];
      const note = (_: object, message: string) => void logged.push(message);
      const lane = ledgerPartitionsLane({
        db: limited,
        clock: { now: () => at, after: () => () => {} },
        log: { info: note, warn: note, error: note },
      });
      // The years to the end of the next one exist, and the command has two more months.
      await runLane(lane);
      expect(logged).toEqual([]);
      at = new Date(`${year + 1}-11-15T00:00:00Z`);
      await runLane(lane);
      at = new Date(`${year + 2}-01-15T00:00:00Z`);
      await runLane(lane);
      expect(logged).toEqual([
        expect.stringMatching(
          /^A partition of the ledger is missing, .* run "svc-admin migrate partitions" as the role that does\./,
        ),
      ]);
      const { created } = await keep(at);
      expect(created).toEqual(
        expect.arrayContaining([`ledger_entry_${year + 2}`, `ledger_transfer_${year + 3}`]),
      );
      at = new Date(at.getTime() + 60_000);
      await runLane(lane);
      expect(logged.slice(1)).toEqual(['the ledger has its partitions again']);
      await limited.close();
    });

    test('a role that may not analyze leaves that to autovacuum', async () => {
      await run(`migrate grant ${role} --reason monthly`);
      const limited = await openDatabase({ url: limitedUrl });
      const maintained = () =>
        oneRowOf<{ names: string[] }>(
          limited,
          sql`
          select coalesce(array_agg(c.relname::text), '{}') as names from pg_class c
          where c.oid in ('ledger_transfer'::regclass, 'webhook_messages'::regclass)
            and ${mayMaintain('c')}`,
        );
      const { serverVersion } = await oneRowOf<{ serverVersion: number }>(
        owner,
        sql`select current_setting('server_version_num')::integer as "serverVersion"`,
      );
      if (serverVersion >= 170_000) {
        expect((await maintained()).names).toHaveLength(2);
        await owner.run(raw(`revoke maintain on all tables in schema public from ${role}`));
      }
      expect((await maintained()).names).toEqual([]);
      await runLane(
        ledgerPartitionsLane({
          db: limited,
          clock: { now: () => new Date(), after: () => () => {} },
          log: quiet,
        }),
      );
      await limited.close();
    });

    test('"migrate partitions" runs as the owner, says what it did, and writes an entry', async () => {
      const granted = await run(`migrate grant ${role} --reason monthly`);
      expect(granted.output).toMatch(/^Created webhook_messages_\d{4}_\d\d\.$/m);
      expect(await run('migrate partitions --reason monthly')).toEqual({
        code: 0,
        output: 'All partitions exist, and none has expired.\n',
      });
      const { details } = await oneRowOf<{ details: object }>(
        owner,
        sql`
        select details from audit_entry
        where partner_id = 'operator' and action = 'schema.partitioned'`,
      );
      expect(details).toMatchObject({ reason: 'monthly', dropped: [] });
      // `migrate apply` repeats it, because a role was granted.
      const { names } = await owner.one(
        row('last partition', { names: listOf(text) }),
        sql`
        select array_agg(max) as names from (
          select max(inhrelid::regclass::text) filter (where inhrelid::regclass::text ~ '\\d$')
          from pg_inherits where inhparent = 'webhook_messages'::regclass) last`,
      );
      await owner.run(raw(`drop table ${names[0]}`));
      // A reader of the whole table, such as a backup, keeps it from being created.
      const blocked = await owner.transaction(async (tx) => {
        await tx.run(raw('select from webhook_messages limit 1'));
        return run('migrate partitions --reason monthly');
      });
      expect(blocked.code).toBe(1);
      expect(blocked.output).toMatch(
        /^The next partition of webhook_messages could not be created, because another transaction holds the table: end/,
      );
      expect((await run('migrate apply --reason monthly')).output).toBe(
        `Nothing to apply: ${placeIn(ownerUrl)} has every migration of version 0.3.0.\nCreated ${names[0]}.\n`,
      );
      expect(await run('migrate partitions --reason monthly', limitedUrl)).toEqual({
        code: 1,
        output:
          'Run "svc-admin migrate partitions" as the role postgres, which owns the tables: put it into DATABASE_URL.\n',
      });
    });
  },
);

function placeIn(url: string): string {
  return `the database ${new URL(url).host}${new URL(url).pathname}`;
}

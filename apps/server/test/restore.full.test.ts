import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { appendFile, chmod, chown, mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { runFolder } from '@svc/db/testing';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { callAt } from './harness.ts';
import { withPlan } from './journeys/with-plan.ts';
import { type Entry, runEntry } from './run-entry.ts';

const run = promisify(execFile);
const secretKey = randomBytes(32).toString('base64');
const binFolder = await findPostgres();
/** PostgreSQL refuses to run as root, so root runs it as nobody. */
const identity = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};

/** Where initdb, postgres and pg_basebackup of one version are: SVC_TEST_PG_BIN, or pg_config's answer. */
async function findPostgres(): Promise<string | undefined> {
  const given = process.env.SVC_TEST_PG_BIN;
  if (given !== undefined) return given;
  const found = await run('pg_config', ['--bindir']).catch(() => undefined);
  const folder = found?.stdout.trim();
  const works = folder && (await run(join(folder, 'pg_basebackup'), ['--version']).catch(() => ''));
  return works ? folder : undefined;
}

/** The clusters of one test and the folder that holds them, their archive and their backups. */
interface Place {
  readonly folder: string;
  /** Runs a program as the user of PostgreSQL. */
  run(program: string, args: readonly string[]): Promise<unknown>;
}

/** One way of making backups, with the commands of docs/operate/backup.md. */
interface Tool {
  readonly name: string;
  readonly installed: boolean;
  /** The archive_command of the primary. */
  archiveCommand(place: Place): string;
  /** Copies the running primary. */
  backUp(place: Place): Promise<void>;
  /** Makes the folder `restored` into a cluster that recovers up to `moment`. */
  restore(place: Place, moment: string): Promise<void>;
}

const baseBackup: Tool = {
  name: 'pg_basebackup',
  installed: binFolder !== undefined,
  archiveCommand: ({ folder }) => `test ! -f ${folder}/archive/%f && cp %p ${folder}/archive/%f`,
  async backUp({ folder, run }) {
    const source = ['--host', folder, '--username', 'postgres'];
    const target = ['--pgdata', `${folder}/restored`, '--wal-method', 'stream'];
    await run(join(binFolder ?? '', 'pg_basebackup'), [...source, ...target, '--checkpoint=fast']);
  },
  async restore({ folder }, moment) {
    const settings = `
restore_command = 'cp ${folder}/archive/%f %p'
recovery_target_time = '${moment}'
recovery_target_action = 'promote'
`;
    await appendFile(`${folder}/restored/postgresql.conf`, settings);
    await writeFile(`${folder}/restored/recovery.signal`, '');
  },
};

const pgBackRest: Tool = {
  name: 'pgBackRest',
  installed:
    binFolder !== undefined &&
    (await run('pgbackrest', ['version']).then(
      () => true,
      () => false,
    )),
  archiveCommand: ({ folder }) =>
    `pgbackrest --config=${folder}/pgbackrest.conf --stanza=svc archive-push %p`,
  async backUp({ folder, run }) {
    const config = `
[global]
repo1-path=${folder}/repository
repo1-retention-full=2
log-path=${folder}/archive
lock-path=${folder}/archive
spool-path=${folder}/archive
start-fast=y
[svc]
pg1-path=${folder}/primary
pg1-socket-path=${folder}
pg1-user=postgres
`;
    await writeFile(`${folder}/pgbackrest.conf`, config);
    const common = [`--config=${folder}/pgbackrest.conf`, '--stanza=svc'];
    await run('pgbackrest', [...common, 'stanza-create']);
    await run('pgbackrest', [...common, 'backup']);
  },
  async restore({ folder, run }, moment) {
    const common = [`--config=${folder}/pgbackrest.conf`, '--stanza=svc'];
    const target = ['--type=time', `--target=${moment}`, '--target-action=promote'];
    await run('pgbackrest', [...common, `--pg1-path=${folder}/restored`, ...target, 'restore']);
  },
};

/**
 * docs/operate/backup.md, executed: a backup of the running service, its archived log, and a restore
 * to a moment at which deliveries were open.
 */
describe.each([baseBackup, pgBackRest])('restore to a point in time with $name', (tool) => {
  const bin = (name: string) => join(binFolder ?? '', name);
  let folder: string;
  let receiver: Server;
  /** Message ids in the order of their arrival. */
  let received: string[] = [];
  let answer: 204 | 503 | 'never' = 204;
  const stops: (() => Promise<unknown>)[] = [];

  const place = (): Place => ({
    folder,
    run: (program, args) => run(program, [...args], { ...identity, cwd: '/' }),
  });

  beforeAll(async () => {
    folder = await mkdtemp(join(await runFolder(), 'restore-'));
    await chmod(join(folder, '..'), 0o711);
    for (const path of ['', 'archive', 'repository', 'restored'].map((name) =>
      join(folder, name),
    )) {
      await mkdir(path, { recursive: true, mode: 0o700 });
      if (identity.uid !== undefined) await chown(path, identity.uid, identity.gid);
    }
    receiver = createServer((request, response) => {
      received.push(String(request.headers['webhook-id']));
      request.resume();
      if (answer !== 'never') response.writeHead(answer).end();
    });
    receiver.listen(0, '127.0.0.1');
    await once(receiver, 'listening');
  });
  afterAll(async () => {
    for (const stop of stops.reverse()) await stop();
    receiver.closeAllConnections();
    receiver.close();
  });

  async function startCluster(name: string): Promise<{ url: string; stop(): Promise<void> }> {
    const data = join(folder, name);
    const child = spawn(bin('postgres'), ['-D', data, '-k', folder, '-c', 'listen_addresses='], {
      ...identity,
      cwd: '/',
      env: {},
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    await ready(child);
    const stop = async () => {
      if (child.exitCode !== null) return;
      child.kill('SIGINT');
      await once(child, 'exit');
    };
    stops.push(stop);
    return {
      url: `postgres://postgres@localhost/postgres?host=${encodeURIComponent(folder)}`,
      stop,
    };
  }

  async function startService(url: string): Promise<{ entry: Entry; origin: string }> {
    const entry = runEntry('serve', { settings: settingsFor(url) });
    stops.push(async () => entry.child.exitCode ?? entry.end('SIGKILL'));
    await entry.until('answers at');
    return { entry, origin: /answers at (\S+)/.exec(entry.output().stdout)?.[1] ?? '' };
  }

  function settingsFor(url: string): Record<string, string> {
    return {
      DATABASE_URL: url,
      SVC_SECRET_KEY: secretKey,
      SVC_DATA_DIR: join(tmpdir(), 'svc-unused'),
      SVC_ALLOW_PRIVATE_WEBHOOKS: '1',
    };
  }

  async function query(url: string, text: string): Promise<Record<string, unknown>[]> {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    try {
      return (await client.query(text)).rows;
    } finally {
      await client.end();
    }
  }

  test.skipIf(!tool.installed)(
    'open deliveries are sent again with the same ids, the feed continues, and the ledger verifies',
    async () => {
      const initial = ['-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C.UTF-8'];
      await place().run(bin('initdb'), ['-D', join(folder, 'primary'), ...initial]);
      await appendFile(
        join(folder, 'primary', 'postgresql.conf'),
        `archive_mode = on\narchive_command = '${tool.archiveCommand(place())}'\nfsync = off\n`,
      );
      const primary = await startCluster('primary');
      const before = await startService(primary.url);
      const created = await runEntry('cli', {
        settings: settingsFor(primary.url),
        args: ['partner', 'create', 'maple'],
      }).end();
      const key = /svc_sandbox_\w+/.exec(created.stdout)?.[0] ?? '';
      const call = (origin: string, method: string, path: string, body?: object) =>
        callAt(`${origin}/v1${path}`, method, { key, ...(body ? { body } : {}) });
      const publish = async (origin: string, count: number): Promise<string[]> => {
        const ids = [];
        for (let index = 0; index < count; index += 1) {
          const body = { event_type: 'plan.activated', data: { index } };
          const sent = await call(origin, 'POST', '/webhooks/messages', body);
          expect(sent.error).toBeNull();
          ids.push(sent.data.id);
        }
        return ids;
      };
      // Something for the ledger to verify.
      const plan = await withPlan(
        {
          call: (method, path, options) =>
            callAt(`${before.origin}/v1${path}`, method, options ?? {}),
        },
        { pms: 'maple', key, keyId: '', id: '' },
        'ada',
      );
      await plan.simulate('advance_clock', { by: 'P1M' });
      const readFeed = async (origin: string, after = ''): Promise<string[]> => {
        const page = await call(origin, 'GET', `/events?limit=100${after}`);
        expect(page.data.next_cursor).toBeNull();
        return page.data.items.map(({ id }: { id: string }) => id);
      };
      const { port } = receiver.address() as AddressInfo;
      await call(before.origin, 'POST', '/webhooks/endpoints', {
        url: `http://127.0.0.1:${port}/`,
      });

      const delivered = await publish(before.origin, 5);
      await expect.poll(() => new Set(received)).toEqual(new Set(delivered));
      await tool.backUp(place());
      const [backedUp] = await query(primary.url, 'select clock_timestamp()::text as at');
      // At the chosen moment, five deliveries wait for their second attempt and five are in flight.
      received = [];
      answer = 503;
      const retrying = await publish(before.origin, 5);
      await expect.poll(() => received.length).toBeGreaterThanOrEqual(5);
      answer = 'never';
      const inFlight = await publish(before.origin, 5);
      await expect.poll(() => inFlight.every((id) => received.includes(id))).toBe(true);
      // The feed shows an event once no older transaction is open, which may take a moment.
      const published = [...delivered, ...retrying, ...inFlight];
      await expect.poll(() => readFeed(before.origin)).toEqual(expect.arrayContaining(published));
      const feed = await readFeed(before.origin);
      // pgBackRest stores the end of a backup in whole seconds, and restores to later moments only.
      const isLater = `select clock_timestamp() > '${backedUp?.at}'::timestamptz + interval '2 s' as it`;
      await expect.poll(async () => (await query(primary.url, isLater))[0]?.it).toBe(true);
      const [moment] = await query(primary.url, 'select clock_timestamp()::text as at');
      // The restored database lacks these messages, because the backup ends before them.
      await publish(before.origin, 3);
      await query(primary.url, 'select pg_switch_wal()');
      await before.entry.end('SIGKILL');
      await primary.stop();

      await tool.restore(place(), String(moment?.at));
      // The restored cluster must not write into the archive of the one it was copied from.
      await appendFile(join(folder, 'restored', 'postgresql.conf'), 'archive_mode = off\n');
      received = [];
      answer = 204;
      const recovered = await startCluster('restored');
      await expect
        .poll(async () => (await query(recovered.url, 'select pg_is_in_recovery() as it'))[0]?.it)
        .toBe(false);
      const after = await startService(recovered.url);
      await expect
        .poll(() => new Set(received), { timeout: 60_000 })
        .toEqual(new Set([...retrying, ...inFlight]));
      expect(received).toHaveLength(retrying.length + inFlight.length);

      const next = await publish(after.origin, 2);
      await expect.poll(() => readFeed(after.origin)).toEqual([...feed, ...next]);
      expect(await readFeed(after.origin, `&after=${feed.at(-1)}`)).toEqual(next);
      const verified = await runEntry('cli', {
        settings: settingsFor(recovered.url),
        args: ['ledger', 'verify'],
      }).end();
      expect(verified).toMatchObject({ code: 0, stderr: '' });
      expect((await after.entry.end('SIGTERM')).code).toBe(0);
      if (tool !== baseBackup) return;

      await place().run(bin('initdb'), ['-D', join(folder, 'moved'), ...initial]);
      // The dump comes from a server that has counted more transactions than the new one.
      await query(
        recovered.url,
        `update webhook_messages set inserted_by = (inserted_by::text::bigint + 1000000)::text::xid8`,
      );
      const dump = join(folder, 'archive', 'dump.sql');
      const connection = ['--host', folder, '--username', 'postgres'];
      await place().run(bin('pg_dump'), [...connection, '--file', dump, 'postgres']);
      await recovered.stop();
      const moved = await startCluster('moved');
      await place().run(bin('psql'), [...connection, '--quiet', '--file', dump, 'postgres']);
      const hidden = await startService(moved.url);
      expect(await readFeed(hidden.origin)).toEqual([]);
      await query(moved.url, `update webhook_messages set inserted_by = '0'`);
      expect(await readFeed(hidden.origin)).toEqual([...feed, ...next]);
      const last = await publish(hidden.origin, 1);
      await expect.poll(() => readFeed(hidden.origin, `&after=${next.at(-1)}`)).toEqual(last);
    },
  );
});

function ready(server: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let said = '';
    server.once('exit', () => reject(new Error(`PostgreSQL did not start: ${said}`)));
    server.stderr?.on('data', (data) => {
      said += data;
      if (said.includes('ready to accept')) resolve();
    });
  });
}

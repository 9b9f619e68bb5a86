import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { boolean, openDatabase, row, sql } from '@svc/db';
import { startPostgres, type TestServer, testKind } from '@svc/db/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readConfig } from '../src/config.ts';
import { openForReport } from '../src/operator/open-for-report.ts';
import { runEntry } from './run-entry.ts';

const replayedRow = row('replayed', { replayed: boolean });
const log = { info() {}, warn() {}, error() {} };

describe.skipIf(testKind() === 'pglite')('reports with a replica', () => {
  let primary: TestServer;
  let replica: TestServer;
  let settings: Record<string, string>;
  beforeAll(async () => {
    primary = await startPostgres();
    replica = await primary.addStandby();
    settings = {
      DATABASE_URL: primary.url('svc'),
      DATABASE_REPLICA_URL: replica.url('svc'),
      SVC_DATA_DIR: await mkdtemp(join(tmpdir(), 'svc-test-')),
      SVC_SECRET_KEY: randomBytes(32).toString('base64'),
    };
    const admin = await openDatabase({ url: primary.url('postgres') });
    await admin.run(sql`create database svc`);
    await admin.close();
    await svc('partner', 'create', 'oak', '--create-database');
    await replayed();
  });
  afterAll(async () => {
    await primary.stop();
    await replica.stop();
    await rm(settings.SVC_DATA_DIR ?? '', { recursive: true, force: true });
  });

  const svc = (...args: string[]) => runEntry('cli', { settings, args }).end();

  /** Waits until the replica shows the partner: a commit waits for its WAL only. */
  async function replayed(): Promise<void> {
    const db = await openDatabase({ url: replica.url('svc') }, { readOnly: true });
    const find = () => db.one(replayedRow, sql`select exists (select from partner) as replayed`);
    while (!(await find()).replayed);
    await db.close();
  }

  test.each([
    ['ledger', 'verify'],
    ['audit', 'list'],
    ['dispute', 'list'],
    ['loss', 'list'],
  ])('%s %s reads the replica', async (...words) => {
    expect(await svc(...words)).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(/^Read from the replica localhost\/svc\.\n$/),
    });
  });

  test('a verification of the replica writes its checkpoint to the primary', async () => {
    const db = await openDatabase({ url: primary.url('svc') });
    await db.run(sql`delete from ledger_checkpoint`);
    expect(await svc('ledger', 'verify', '--full')).toMatchObject({ code: 0 });
    expect(await db.run(sql`select from ledger_checkpoint`)).toBe(1);
    await db.close();
  });

  test('a verification of the replica ends without a checkpoint while the primary is down', async () => {
    const down = { ...settings, DATABASE_URL: 'postgres://svc:hush@127.0.0.1:1/svc' };
    const { code, stdout } = await runEntry('cli', {
      settings: down,
      args: ['ledger', 'verify'],
    }).end();
    expect(code).toBe(0);
    expect(stdout).toContain('No checkpoint was written, because the primary cannot be used.');
  });

  test('JSON on standard output stays valid', async () => {
    const { stdout, stderr } = await svc('audit', 'list', '--json');
    expect(JSON.stringify(JSON.parse(stdout))).toContain('partner.created');
    expect(stderr).toContain('Read from the replica');
  });

  test('a list of keys, which may be just written, reads the primary', async () => {
    expect(await svc('key', 'list')).toMatchObject({ code: 0, stderr: '' });
  });

  test('nothing can be written through the connection for reports, even on a primary', async () => {
    const config = readConfig({ ...settings, DATABASE_REPLICA_URL: primary.url('svc') });
    const { db, close } = await openForReport(config, { log });
    await expect(db.run(sql`delete from partner`)).rejects.toThrow('read-only transaction');
    await expect(db.transaction((tx) => tx.run(sql`delete from partner`))).rejects.toThrow(
      'read-only transaction',
    );
    await close();
  });

  test('a replica that lags is not read, and the primary is', async () => {
    const { db, source, close } = await openForReport(readConfig(settings), { log, maxLag: -1 });
    expect(source).toMatch(/^Read from the primary, because the replica .+ is \d+ s behind\.$/);
    expect(await db.run(sql`select from partner`)).toBe(1);
    await close();
  });

  test('a replica that is down is not read, and the primary is', async () => {
    const down = { ...settings, DATABASE_REPLICA_URL: 'postgres://svc:hush@127.0.0.1:1/svc' };
    expect(await runEntry('cli', { settings: down, args: ['loss', 'list'] }).end()).toMatchObject({
      code: 0,
      stderr: 'Read from the primary, because the replica 127.0.0.1:1/svc cannot be used.\n',
    });
  });
});

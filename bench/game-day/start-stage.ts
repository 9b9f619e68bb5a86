import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Database, openDatabase, sql } from '@svc/db';
import { type CitusServer, createClusterDatabase, rowsOf, startCitusServer } from '@svc/db/testing';
import { callAt } from '../../apps/server/test/harness.ts';
import { benchSettings, runAdmin, type Settings } from '../start-service.ts';
import { type ClockedService, startClockedService } from './start-clocked-service.ts';

export interface Partner {
  readonly id: string;
  readonly pms: string;
  readonly key: string;
  /** The port of the worker that stores its rows when the game day begins. */
  readonly port: number;
}

/** A cluster with the service, its partners, and the receiver of their webhooks. */
export interface Stage {
  readonly settings: Settings;
  readonly coordinator: CitusServer;
  /** The servers that store the partners' rows now. A failover replaces one. */
  readonly workers: CitusServer[];
  readonly standby: CitusServer;
  /** Not part of the cluster until it joins. */
  readonly spare: CitusServer;
  readonly db: Database;
  service: ClockedService;
  readonly partners: readonly Partner[];
  /** The ids of the webhooks that arrived. */
  readonly received: ReadonlySet<string>;
  readonly logFile: string;
  aheadMs: number;
  close(): Promise<void>;
}

/**
 * Starts a coordinator, two workers, a standby of the first one, a spare server, and the service with partners on both
 * workers.
 */
export async function startStage(bin: string, partnerCount: number): Promise<Stage> {
  const closers: (() => unknown)[] = [];
  const close = async () => {
    for (const step of closers.splice(0).reverse()) await step();
  };
  try {
    const servers: CitusServer[] = [];
    for (let index = 0; index < 4; index += 1) {
      // Durable: a server that loses commits in a crash would fail the game day, as it should.
      servers.push(await startCitusServer(bin, { durable: true, archives: true }));
    }
    const [coordinator, first, second, spare] = servers as [
      CitusServer,
      CitusServer,
      CitusServer,
      CitusServer,
    ];
    const url = await createClusterDatabase(
      [coordinator, first, second].map((it) => it.url),
      'svc',
    );
    const settings: Settings = { ...(await benchSettings(url)), SVC_LOG_LEVEL: 'warn' };
    closers.push(() => rm(settings.SVC_DATA_DIR ?? '', { recursive: true, force: true }));
    requireAdmin(settings, ['migrate', 'apply', '--create-database']);
    requireAdmin(settings, ['db', 'distribute', 'apply']);
    const standby = await first.addStandby();
    const logFile = join(await mkdtemp(join(tmpdir(), 'svc-game-day-')), 'service.log');
    const service = await startClockedService({ settings, aheadMs: 0, logFile });
    const receiver = await startReceiver();
    closers.push(receiver.close);
    // The checks read all rows, on a machine that runs every server of the cluster.
    const db = await openDatabase({ url }, { limits: { statement: 60_000 } });
    closers.push(() => db.close());
    const stage: Stage = {
      settings,
      coordinator,
      workers: [first, second],
      standby,
      spare,
      db,
      service,
      partners: await addPartners({ service, db, receiver: receiver.url }, partnerCount),
      received: receiver.received,
      logFile,
      aheadMs: 0,
      close,
    };
    closers.push(() => stage.service.stop());
    return stage;
  } catch (error) {
    await close();
    throw error;
  }
}

function requireAdmin(settings: Settings, args: readonly string[]): void {
  const { status, stdout, stderr } = runAdmin(settings, args);
  if (status !== 0) throw new Error(`svc-admin ${args.join(' ')}: ${stdout}${stderr}`);
}

async function addPartners(
  { service, db, receiver }: { service: ClockedService; db: Database; receiver: string },
  count: number,
): Promise<Partner[]> {
  const names = Array.from({ length: count }, (_, index) => `portal-${index + 1}`);
  const keys = await service.createPartners(names);
  const places = await rowsOf<{ id: string; pms: string; port: number }>(
    db,
    sql`
    /* many rows: all partners */
    select p.id, p.pms, n.nodeport as port from partner p
      join pg_dist_placement t
        on t.shardid = get_shard_id_for_distribution_column('tenant', p.id)
      join pg_dist_node n on n.groupid = t.groupid`,
  );
  return Promise.all(
    names.map(async (pms, index) => {
      const place = places.find((it) => it.pms === pms);
      const key = keys[index];
      if (!place || key === undefined) throw new Error(`There is no partner ${pms}.`);
      const call = (method: string, path: string, body: object) =>
        callAt(`${service.url}/v1${path}`, method, { key, body });
      await call('POST', '/webhooks/endpoints', { url: receiver });
      await call('PUT', '/partner/allowed_origins', {
        allowed_origins: ['https://portal.example'],
      });
      return { ...place, key };
    }),
  );
}

async function startReceiver() {
  const received = new Set<string>();
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      received.add(String(request.headers['webhook-id']));
      response.writeHead(204).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/hooks`,
    received,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

import { messageInRaw, Svix } from 'svix';
import { findSvixServer, startSvixServer } from '../../apps/server/test/support/svix-server.ts';
import { body, type Path, type Peer, type PeerContext } from './peer.ts';
import { hasRedis, startRedis } from './start-redis.ts';

const applications = { timed: 'timed-app', hang: 'hang-app' } as const;

/** svix-server in a separate process, with its queue in Redis if that is installed. */
export async function open({ databaseUrl, receiverOrigin }: PeerContext): Promise<Peer> {
  const redis = hasRedis() ? await startRedis() : undefined;
  const server = await startSvixServer({
    binary: findSvixServer() ?? '',
    databaseUrl,
    ...(redis && { redisUrl: `redis://127.0.0.1:${redis.port}` }),
  });
  process.once('exit', () => void server.kill());
  const svix = new Svix(server.token, { serverUrl: server.url });
  await svix.eventType.create({ name: 'plan.created', description: 'A plan was created.' });
  for (const path of ['timed', 'hang'] as const) {
    await svix.application.create({ uid: applications[path], name: path });
    await svix.endpoint.create(applications[path], { url: `${receiverOrigin}/${path}` });
  }
  return {
    pids: [server.pid(), ...(redis ? [redis.pid] : [])],
    async publish(path: Path) {
      const message = messageInRaw('plan.created', body, 'application/json');
      const { id } = await svix.message.create(applications[path], message);
      return id;
    },
  };
}

import { addEndpoint, newMessage, newOwner, openMigrated, startEngine } from '../webhooks/setup.ts';
import type { Path, Peer, PeerContext } from './peer.ts';

/** Our engine in this process, with the limits that it has in the service. */
export async function open({ databaseUrl, receiverOrigin }: PeerContext): Promise<Peer> {
  const db = await openMigrated({ url: databaseUrl });
  const owners = { timed: newOwner(), hang: newOwner() };
  for (const path of ['timed', 'hang'] as const) {
    await addEndpoint(db, owners[path], `${receiverOrigin}/${path}`);
  }
  const engine = await startEngine(db);
  return {
    pids: [],
    async publish(path: Path) {
      const message = newMessage(owners[path]);
      await engine.publish([message]);
      return message.id;
    },
  };
}

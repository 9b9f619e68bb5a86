import { sql, type Tx } from '@svc/db';
import { EngineRefusal, endpointDisabled, replayNotFound } from '../kernel/refusal.ts';
import { getReplay, type ReplayView } from './view-replay.ts';
import { withdrawUnsent } from './withdraw-unsent.ts';

/**
 * Pauses, resumes or cancels a replay. Attempts in flight are finished and counted; deliveries that
 * are not claimed yet are withdrawn. Does nothing if the replay is in the requested state already.
 * After the commit call `engine.wake()`. Locks: the replay's row.
 */
export async function controlReplay(
  tx: Tx,
  owner: string,
  id: string,
  what: 'pause' | 'resume' | 'cancel',
): Promise<ReplayView> {
  const replay = await tx.maybe<{ state: ReplayView['state']; endpoint_id: string }>(sql`
    select state, endpoint_id from webhook_replays
    where id = ${id} and owner = ${owner} for update`);
  if (!replay) throw replayNotFound();
  const state = states[what];
  if (replay.state === state) return getReplay(tx, owner, id);
  if (replay.state === 'completed' || replay.state === 'canceled') {
    throw new EngineRefusal(
      'replay_over',
      `The replay is ${replay.state} already: make another one.`,
    );
  }
  if (what === 'resume') await refuseDisabled(tx, replay.endpoint_id);
  else await withdrawUnsent(tx, id, replay.endpoint_id);
  await tx.run(sql`update webhook_replays set state = ${state} where id = ${id}`);
  return getReplay(tx, owner, id);
}

const states = { pause: 'paused', resume: 'running', cancel: 'canceled' } as const;

async function refuseDisabled(tx: Tx, endpointId: string): Promise<void> {
  const enabled = await tx.maybe(sql`
    select from webhook_endpoints where id = ${endpointId} and state = 'enabled' for share`);
  if (!enabled) throw endpointDisabled();
}

import { row, sql, type Tx, text } from '@svc/db';
import { EngineRefusal, endpointDisabled, replayNotFound } from '../kernel/refusal.ts';
import { getReplay, type ReplayView, replayState } from './view-replay.ts';
import { withdrawUnsent } from './withdraw-unsent.ts';

/**
 * Pauses, resumes or cancels a replay. Attempts in flight are finished and counted; deliveries that
 * are not claimed yet are withdrawn. Does nothing if the replay is in the requested state already.
 * After the commit call `engine.wake()`. Locks: the replay's row. A step that is running holds this
 * lock, so the change waits for it and then withdraws what that step has opened.
 */
export async function controlReplay(
  tx: Tx,
  owner: string,
  id: string,
  what: 'pause' | 'resume' | 'cancel',
): Promise<ReplayView> {
  const replay = await tx.maybe(
    controlledRow,
    sql`
    select state, endpoint_id from webhook_replays
    where owner = ${owner} and id = ${id} for update`,
  );
  if (!replay) throw replayNotFound();
  const state = states[what];
  if (replay.state === state) return getReplay(tx, owner, id);
  if (replay.state === 'completed' || replay.state === 'canceled') {
    throw new EngineRefusal(
      'replay_over',
      `The replay is ${replay.state} already: make another one.`,
    );
  }
  if (what === 'resume') await refuseDisabled(tx, owner, replay.endpoint_id);
  else await withdrawUnsent(tx, { owner, id, endpoint_id: replay.endpoint_id });
  await tx.run(sql`
    update webhook_replays set state = ${state} where owner = ${owner} and id = ${id}`);
  return getReplay(tx, owner, id);
}

const controlledRow = row('controlled replay', { state: replayState, endpoint_id: text });
const states = { pause: 'paused', resume: 'running', cancel: 'canceled' } as const;

const enabledRow = row('enabled endpoint', { id: text });

async function refuseDisabled(tx: Tx, owner: string, endpointId: string): Promise<void> {
  const enabled = await tx.maybe(
    enabledRow,
    sql`
    select id from webhook_endpoints
    where owner = ${owner} and id = ${endpointId} and state = 'enabled' for share`,
  );
  if (!enabled) throw endpointDisabled();
}

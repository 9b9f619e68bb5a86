import { type EndpointChange, updateEndpoint } from '../endpoints/update-endpoint.ts';
import { controlReplay } from '../replay/control-replay.ts';
import { createReplay, previewReplay, type ReplayInput } from '../replay/create-replay.ts';
import { getReplay } from '../replay/view-replay.ts';
import type { Harness } from './harness.ts';

const day = 86_400_000;

type Asked = Partial<ReplayInput> & { readonly endpoint_id: string };

/** Steps of tests of bulk replays. The time window is the last two days by default. */
export function replayStage(harness: () => Harness) {
  function inputOf(asked: Asked): ReplayInput {
    return { since: new Date(harness().clock.now().getTime() - 2 * day + 1), ...asked };
  }

  return {
    async deliverMany(count: number): Promise<string[]> {
      const { engine } = harness();
      const ids: string[] = [];
      for (let made = 0; made < count; made += 1) ids.push(await harness().publish());
      engine.wake();
      await engine.idle();
      return ids;
    },

    async replay(asked: Asked) {
      const { db, owner, clock, engine } = harness();
      // `until` is exclusive and defaults to now, so messages of this millisecond would be left out.
      await clock.advance(1);
      const input = inputOf(asked);
      const made = await db.transaction((tx) => createReplay(tx, owner, input, clock.now()));
      engine.wake();
      await engine.idle();
      return made;
    },

    async preview(asked: Asked) {
      const { db, owner, clock } = harness();
      await clock.advance(1);
      return previewReplay(db, owner, inputOf(asked), clock.now());
    },

    async control(id: string | null, what: 'pause' | 'resume' | 'cancel') {
      const { db, owner, engine } = harness();
      const view = await db.transaction((tx) => controlReplay(tx, owner, id ?? '', what));
      engine.wake();
      await engine.idle();
      return view;
    },

    read: (id: string | null) => getReplay(harness().db, harness().owner, id ?? ''),

    change(endpointId: string, what: EndpointChange) {
      const { db, deps, owner, clock } = harness();
      return db.transaction((tx) => updateEndpoint(tx, deps, owner, endpointId, what, clock.now()));
    },
  };
}

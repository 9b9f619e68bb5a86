import { describe, expect, test } from 'vitest';
import { newId } from '../kernel/ids.ts';
import type { Harness } from '../testing/harness.ts';
import { useEngine } from '../testing/use-engine.ts';
import { type SuccessRow, writeSuccesses } from './write-successes.ts';

describe('a success', () => {
  let harness: Harness;
  useEngine((opened) => {
    harness = opened.harness;
  });

  test('a success is one attempt, even if it is written again after an unconfirmed commit', async () => {
    const endpoint_id = await harness.endpoint({ url: 'http://127.0.0.1:9/hook' });
    const message_id = await harness.publish();
    const row = rowOf({ message_id, endpoint_id });
    await writeSuccesses(harness.db, [row], false);
    await writeSuccesses(harness.db, [row], true);
    expect(await harness.attempts(message_id)).toHaveLength(1);
    expect(await harness.state(message_id)).toBe('delivered');
  });

  function rowOf(delivery: { message_id: string; endpoint_id: string }): SuccessRow {
    const started_at = harness.clock.now();
    const id = newId('att', started_at);
    const shown = { url: 'http://127.0.0.1:9/hook', agent: 'svc', signature: 'v1,a' };
    const detail = JSON.stringify({ ...shown, ms: { total: 1 } });
    const { owner } = harness;
    const sent = { id, trigger: 'schedule', lease: null, started_at, status: 204, detail } as const;
    return { owner, ...delivery, ...sent };
  }
});

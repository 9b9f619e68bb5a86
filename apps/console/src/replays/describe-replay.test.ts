import { expect, test } from 'vitest';
import type { Replay } from '../api/replays.ts';
import { describeFilter, describeProgress } from './describe-replay.ts';

const any: Replay['filter'] = {
  states: ['failed'],
  event_types: null,
  status_class: null,
  error_class: null,
  external_id: null,
  channel: null,
};

function replay(part: Partial<Replay>): Replay {
  return {
    id: 'rpl_1',
    endpoint_id: 'ep_1',
    since: '2026-02-01T12:00:00.000Z',
    until: '2026-02-01T20:00:00.000Z',
    filter: any,
    state: 'running',
    total: 1200,
    replayed: 0,
    delivered: 0,
    failed: 0,
    rate_per_second: null,
    created_at: '2026-02-01T20:00:00.000Z',
    finished_at: null,
    ...part,
  };
}

test('a filter is described as a readable list', () => {
  expect(describeFilter(any)).toBe('Failed');
  expect(
    describeFilter({
      ...any,
      states: ['delivered', 'failed', 'skipped'],
      event_types: ['plan.*', 'a.b'],
    }),
  ).toBe('Failed, skipped and delivered, plan.* and a.b');
  expect(
    describeFilter({ ...any, status_class: '5xx', external_id: 't-1', channel: 'north' }),
  ).toBe('Failed, last status 5xx, tenant t-1, channel north');
});

test('progress counts each message exactly once', () => {
  expect(describeProgress(replay({ replayed: 50, delivered: 40, failed: 3 }))).toBe(
    '40 delivered, 3 failed, 7 in flight, of 1,200 messages.',
  );
  expect(
    describeProgress(replay({ state: 'completed', total: 1, replayed: 1, delivered: 1 })),
  ).toBe('1 delivered, of 1 message.');
  expect(describeProgress(replay({ total: 0, state: 'completed' }))).toBe(
    'There was nothing to send.',
  );
});

test('a canceled replay reports how many messages were not sent', () => {
  expect(describeProgress(replay({ state: 'canceled' }))).toBe(
    'It was canceled before anything was sent.',
  );
  expect(
    describeProgress(replay({ state: 'canceled', total: 10, replayed: 9, delivered: 9 })),
  ).toBe('9 delivered. 1 message of 10 was not sent again.');
});

import { expect, test } from 'vitest';
import type { Attempt, Delivery } from '../api/messages.ts';
import { buildTimeline, retryWaitsInSeconds } from './build-timeline.ts';

const published = Date.parse('2026-02-01T12:00:00.000Z');

function attempt(
  seconds: number,
  succeeded: boolean,
  trigger: Attempt['trigger'] = 'schedule',
): Attempt {
  return {
    id: `att_${seconds}`,
    message_id: 'evt_1',
    endpoint_id: 'ep_1',
    number: 1,
    trigger,
    started_at: new Date(published + seconds * 1000).toISOString(),
    status: succeeded ? 200 : 500,
    succeeded,
    error_class: succeeded ? null : 'status',
    error: null,
    hint: null,
    url: 'https://a.example',
    request_headers: {},
    response_headers: {},
    response_body: null,
    response_truncated: false,
    timing_in_ms: { dns: null, connect: null, tls: null, first_byte: 20, total: 20 },
    next_attempt_at: null,
  };
}

function delivery(state: Delivery['state'], nextInSeconds?: number): Delivery {
  return {
    id: 'dlv_1',
    endpoint_id: 'ep_1',
    endpoint_url: 'https://a.example',
    state,
    reason: null,
    attempts_made: 0,
    next_attempt_at:
      nextInSeconds === undefined ? null : new Date(published + nextInSeconds * 1000).toISOString(),
  };
}

const states = (timeline: ReturnType<typeof buildTimeline>) =>
  timeline.steps.map(({ state }) => state);
const offsets = (timeline: ReturnType<typeof buildTimeline>) =>
  timeline.steps.map(({ at }) => (at - published) / 1000);

test('the waits match the specification', () => {
  expect(retryWaitsInSeconds).toEqual([0, 5, 300, 1800, 7200, 18000, 36000, 36000]);
});

test('past attempts keep their times and planned ones follow from the next attempt', () => {
  const timeline = buildTimeline(
    delivery('retrying', 320),
    [attempt(0, false), attempt(6, false)],
    published,
  );
  expect(states(timeline)).toEqual(['failed', 'failed', 'next', ...Array(5).fill('planned')]);
  expect(offsets(timeline)).toEqual([0, 6, 320, 2120, 9320, 27320, 63320, 99320]);
});

test('after a success no further attempts are planned', () => {
  const timeline = buildTimeline(
    delivery('delivered'),
    [attempt(0, false), attempt(5, true)],
    published,
  );
  expect(states(timeline)).toEqual(['failed', 'succeeded', ...Array(6).fill('unused')]);
});

test('a manual attempt is listed outside the schedule', () => {
  const manual = attempt(100, false, 'manual');
  const timeline = buildTimeline(
    delivery('retrying', 305),
    [attempt(0, false), attempt(5, false), manual],
    published,
  );
  expect(timeline.extra).toEqual([manual]);
  expect(states(timeline).slice(0, 3)).toEqual(['failed', 'failed', 'next']);
});

test('the scale preserves order and fills the line', () => {
  const timeline = buildTimeline(delivery('pending', 0), [], published);
  const places = timeline.steps.map(({ at }) => timeline.place(at));
  expect(places[0]).toBe(0);
  expect(places.at(-1)).toBe(1);
  expect(places).toEqual([...places].sort((a, b) => a - b));
  expect(
    Math.min(...places.slice(1).map((place, index) => place - (places[index] ?? 0))),
  ).toBeGreaterThan(0.08);
  expect(timeline.place(published + 1e12)).toBe(1);
});

test('eight failures fill every step', () => {
  const eight = [0, 5, 305, 2105, 9305, 27305, 63305, 99305].map((at) => attempt(at, false));
  expect(states(buildTimeline(delivery('exhausted'), eight, published))).toEqual(
    Array(8).fill('failed'),
  );
});

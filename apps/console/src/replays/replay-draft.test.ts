import { createReplayInput } from '@svc/contract';
import { expect, test } from 'vitest';
import { emptyReplay, type ReplayDraft, replayInput, replayOf } from './replay-draft.ts';

const now = Date.parse('2026-03-02T15:00:00.000Z');
const inputFor = (part: Partial<ReplayDraft>) =>
  replayInput({ ...emptyReplay('ep_1'), ...part }, now);

test('the form’s request is valid under the contract', () => {
  const drafts: Partial<ReplayDraft>[] = [
    {},
    { window: 168, states: ['failed', 'delivered', 'never_attempted', 'skipped'], rate: '5' },
    { window: 'own', since: '2026-03-01T09:00', until: '2026-03-01T10:00', eventTypes: ['plan.*'] },
  ];
  for (const draft of drafts)
    expect(createReplayInput.safeParse(inputFor(draft)).error).toBeUndefined();
  expect(inputFor({})).toEqual({
    endpoint_id: 'ep_1',
    since: '2026-03-02T07:00:00.000Z',
    filter: { states: ['failed'] },
  });
});

test('begins with the filters of a list of deliveries', () => {
  const search = {
    status_class: '5xx',
    error_class: 'status',
    event_type: 'plan.*,installment.paid',
    external_id: 't-1',
    channel: 'north',
    since: '2026-03-01T09:00:30.000Z',
    until: '2026-03-01T10:00:30.000Z',
  };
  const input = replayInput(replayOf('ep_1', search), now);
  expect(createReplayInput.safeParse(input).error).toBeUndefined();
  expect(input).toEqual({
    endpoint_id: 'ep_1',
    since: '2026-03-01T09:00:00.000Z',
    until: '2026-03-01T10:01:00.000Z',
    filter: {
      states: ['failed'],
      event_types: ['plan.*', 'installment.paid'],
      status_class: '5xx',
      error_class: 'status',
      external_id: 't-1',
      channel: 'north',
    },
  });
  expect(replayOf('ep_1', { status_class: '2xx' })).toMatchObject({
    window: 168,
    states: ['delivered'],
  });
  expect(replayOf('ep_1', {})).toEqual(emptyReplay('ep_1'));
});

test('missing or invalid input is reported before any request', () => {
  expect(inputFor({ states: [] })).toContain('at least one kind');
  expect(inputFor({ eventTypes: [] })).toContain('event type');
  expect(inputFor({ window: 'own' })).toContain('start time');
  expect(inputFor({ window: 'own', since: '2026-03-09T09:00' })).toContain('future');
  expect(
    inputFor({ window: 'own', since: '2026-03-01T09:00', until: '2026-03-01T08:00' }),
  ).toContain('before the end time');
  expect(inputFor({ rate: '0.5' })).toContain('whole number');
});

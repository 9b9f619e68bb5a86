import type { Tone } from '@svc/ui/console/parts/state-mark.tsx';
import { joinWords } from '@svc/ui/console/text/join-words.ts';
import { visibleText } from '@svc/ui/console/text/visible-text.ts';
import type { Replay } from '../api/replays.ts';

export const replayMarks: Record<Replay['state'], { tone: Tone; word: string }> = {
  running: { tone: 'info', word: 'Running' },
  paused: { tone: 'warn', word: 'Paused' },
  canceled: { tone: 'neutral', word: 'Canceled' },
  completed: { tone: 'good', word: 'Completed' },
};

export type ReplayedState = Replay['filter']['states'][number];

export const replayedStates: { value: ReplayedState; words: string; short: string }[] = [
  { value: 'failed', words: 'Failed: still retrying or out of attempts', short: 'failed' },
  { value: 'skipped', words: 'Skipped while the endpoint was disabled', short: 'skipped' },
  {
    value: 'never_attempted',
    words: 'Never sent: published before the endpoint existed or was subscribed',
    short: 'never sent',
  },
  {
    value: 'delivered',
    words: 'Already delivered: your server receives them again',
    short: 'delivered',
  },
];

/** Describes a filter: "Failed and skipped, plan.*, last status 5xx, tenant t-100". */
export function describeFilter(filter: Replay['filter']): string {
  const { states, event_types, status_class, error_class, external_id, channel } = filter;
  const chosen = replayedStates.filter(({ value }) => states.includes(value));
  const words = joinWords(chosen.map(({ short }) => short));
  const limits = [
    ...(event_types === null ? [] : [joinWords(event_types)]),
    ...(status_class === null ? [] : [`last status ${status_class}`]),
    ...(error_class === null ? [] : [`last error ${error_class}`]),
    ...(external_id === null ? [] : [`tenant ${visibleText(external_id)}`]),
    ...(channel === null ? [] : [`channel ${channel}`]),
  ];
  return [`${words.charAt(0).toUpperCase()}${words.slice(1)}`, ...limits].join(', ');
}

/** Formats a count: "412 messages", "1 message". */
export function countMessages(count: number): string {
  return count === 1 ? '1 message' : `${count.toLocaleString('en-US')} messages`;
}

/** Describes a replay's progress in a sentence. */
export function describeProgress(replay: Replay): string {
  const { state, total, replayed, delivered, failed } = replay;
  const waiting = replayed - delivered - failed;
  const results = [
    `${delivered.toLocaleString('en-US')} delivered`,
    ...(failed > 0 ? [`${failed.toLocaleString('en-US')} failed`] : []),
    ...(waiting > 0 ? [`${waiting.toLocaleString('en-US')} in flight`] : []),
  ].join(', ');
  if (total === 0) return 'There was nothing to send.';
  if (state === 'canceled') {
    const left = total - replayed;
    return replayed === 0
      ? 'It was canceled before anything was sent.'
      : `${results}. ${countMessages(left)} of ${total.toLocaleString('en-US')} ${left === 1 ? 'was' : 'were'} not sent again.`;
  }
  return `${results}, of ${countMessages(total)}.`;
}

import type { ReplayInput } from '../api/replays.ts';
import type { ReplayedState } from './describe-replay.ts';

/** What stands in the form. */
export interface ReplayDraft {
  endpointId: string;
  /** Hours back, or a moment of one's own. */
  window: number | 'own';
  /** As `datetime-local` gives it, in the viewer's zone; empty while not filled in. */
  since: string;
  until: string;
  states: ReplayedState[];
  eventTypes: string[] | null;
  rate: string;
}

export const windows = [
  { hours: 8, words: '8 hours' },
  { hours: 24, words: '24 hours' },
  { hours: 72, words: '3 days' },
  { hours: 168, words: '7 days' },
];

export function emptyReplay(endpointId: string): ReplayDraft {
  const nothing = { since: '', until: '', eventTypes: null, rate: '' };
  return { endpointId, window: 8, states: ['failed'], ...nothing };
}

/** The request for it as of `now`; in a sentence what is missing where there is none yet. */
export function replayInput(draft: ReplayDraft, now: number): ReplayInput | string {
  const { window, states, eventTypes, rate } = draft;
  if (states.length === 0) return 'Choose at least one kind of message.';
  if (eventTypes?.length === 0) return 'Choose at least one event type, or all.';
  const own = window === 'own';
  const since = own ? Date.parse(draft.since) : now - window * 3_600_000;
  const until = own && draft.until !== '' ? Date.parse(draft.until) : null;
  if (Number.isNaN(since)) return 'Fill in since when.';
  if (since >= (until ?? now)) return 'Since when has to be before its end, and not in the future.';
  const perSecond = Number(rate);
  if (rate !== '' && !(Number.isInteger(perSecond) && perSecond >= 1 && perSecond <= 10_000)) {
    return 'The rate is a whole number from 1 to 10000.';
  }
  return {
    endpoint_id: draft.endpointId,
    since: new Date(since).toISOString(),
    ...(until === null ? {} : { until: new Date(until).toISOString() }),
    filter: { states, ...(eventTypes === null ? {} : { event_types: eventTypes }) },
    ...(rate === '' ? {} : { rate_per_second: perSecond }),
  };
}

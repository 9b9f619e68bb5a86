import type { ReplayInput } from '../api/replays.ts';
import type { ReplayedState } from './describe-replay.ts';

/** The state of the new replay form. */
export interface ReplayDraft {
  endpointId: string;
  /** A preset in hours back from now, or the custom range in `since` and `until`. */
  window: number | 'own';
  /** The value of a `datetime-local` input, in the viewer's zone. Empty if not filled in. */
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

/** Builds the API request as of `now`. Returns an error message if the form is incomplete. */
export function replayInput(draft: ReplayDraft, now: number): ReplayInput | string {
  const { window, states, eventTypes, rate } = draft;
  if (states.length === 0) return 'Choose at least one kind of message.';
  if (eventTypes?.length === 0) return 'Choose at least one event type, or all.';
  const own = window === 'own';
  const since = own ? Date.parse(draft.since) : now - window * 3_600_000;
  const until = own && draft.until !== '' ? Date.parse(draft.until) : null;
  if (Number.isNaN(since)) return 'Enter a start time.';
  if (since >= (until ?? now))
    return 'The start time must be before the end time and not in the future.';
  const perSecond = Number(rate);
  if (rate !== '' && !(Number.isInteger(perSecond) && perSecond >= 1 && perSecond <= 10_000)) {
    return 'The rate must be a whole number from 1 to 10,000.';
  }
  return {
    endpoint_id: draft.endpointId,
    since: new Date(since).toISOString(),
    ...(until === null ? {} : { until: new Date(until).toISOString() }),
    filter: { states, ...(eventTypes === null ? {} : { event_types: eventTypes }) },
    ...(rate === '' ? {} : { rate_per_second: perSecond }),
  };
}

import { withoutEmpty } from '@svc/ui/console/filters/search-params.ts';
import { toLocal } from '@svc/ui/console/filters/time-filter.tsx';
import type { ReplayInput } from '../api/replays.ts';
import { checkChannel } from '../subscriptions/read-channels.ts';
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
  /** Empty for any. */
  statusClass: string;
  errorClass: string;
  tenant: string;
  channel: string;
  rate: string;
}

/** The filters of the list of deliveries, as they are in the URL. */
export interface ReplaySearch {
  endpoint_id?: string;
  status_class?: string;
  error_class?: string;
  event_type?: string;
  external_id?: string;
  channel?: string;
  since?: string;
  until?: string;
}

export const windows = [
  { hours: 8, words: '8 hours' },
  { hours: 24, words: '24 hours' },
  { hours: 72, words: '3 days' },
  { hours: 168, words: '7 days' },
];

export function emptyReplay(endpointId: string): ReplayDraft {
  const emptyFields = { since: '', until: '', eventTypes: null, rate: '' };
  const noFilters = { statusClass: '', errorClass: '', tenant: '', channel: '' };
  return { endpointId, window: 8, states: ['failed'], ...emptyFields, ...noFilters };
}

/** Returns the form's initial state for the messages that a filtered list of deliveries shows. */
export function replayOf(endpointId: string, search: ReplaySearch): ReplayDraft {
  const { status_class, error_class, event_type, external_id, channel, since, until } = search;
  const empty = emptyReplay(endpointId);
  const isFiltered = [status_class, error_class, event_type, external_id, channel].some(Boolean);
  const isTimed = since !== undefined || until !== undefined;
  return {
    ...empty,
    // A list without a time filter goes back further than the shortest window.
    window: isTimed ? 'own' : isFiltered ? 168 : empty.window,
    since: toLocal(since),
    until: toLocal(until === undefined ? undefined : endOfMinute(until)),
    states: status_class === '2xx' ? ['delivered'] : empty.states,
    eventTypes: event_type === undefined ? null : event_type.split(','),
    statusClass: status_class ?? '',
    errorClass: error_class ?? '',
    tenant: external_id ?? '',
    channel: channel ?? '',
  };
}

/** Rounds an instant up to the next minute, because the form's times have no seconds. */
function endOfMinute(instant: string): string {
  const ms = Date.parse(instant);
  return Number.isNaN(ms) ? instant : new Date(Math.ceil(ms / 60_000) * 60_000).toISOString();
}

/** Builds the API request as of `now`. Returns an error message if the form is incomplete. */
export function replayInput(draft: ReplayDraft, now: number): ReplayInput | string {
  const { window, states, eventTypes, rate } = draft;
  if (states.length === 0) return 'Choose at least one kind of message.';
  if (eventTypes?.length === 0) return 'Choose at least one event type, or all.';
  const isCustomRange = window === 'own';
  const since = isCustomRange ? Date.parse(draft.since) : now - window * 3_600_000;
  const until = isCustomRange && draft.until !== '' ? Date.parse(draft.until) : null;
  if (Number.isNaN(since)) return 'Enter a start time.';
  if (since >= (until ?? now))
    return 'The start time must be before the end time and not in the future.';
  const wrongChannel = draft.channel === '' ? null : checkChannel(draft.channel);
  if (wrongChannel !== null) return wrongChannel;
  const perSecond = Number(rate);
  if (rate !== '' && !(Number.isInteger(perSecond) && perSecond >= 1 && perSecond <= 10_000)) {
    return 'The rate must be a whole number from 1 to 10,000.';
  }
  return {
    endpoint_id: draft.endpointId,
    since: new Date(since).toISOString(),
    ...(until === null ? {} : { until: new Date(until).toISOString() }),
    filter: {
      states,
      ...(eventTypes === null ? {} : { event_types: eventTypes }),
      ...(withoutEmpty({
        status_class: draft.statusClass,
        error_class: draft.errorClass,
        external_id: draft.tenant,
        channel: draft.channel,
      }) as Pick<
        NonNullable<ReplayInput['filter']>,
        'status_class' | 'error_class' | 'external_id' | 'channel'
      >),
    },
    ...(rate === '' ? {} : { rate_per_second: perSecond }),
  };
}

import type { Endpoint } from '../api/endpoints.ts';
import { isChosen } from './select-types.ts';

/** Whether a message of this type on these channels goes to the endpoint, as the service decides. */
export function hears(
  { event_types, channels }: Pick<Endpoint, 'event_types' | 'channels'>,
  type: string,
  published: readonly string[],
): boolean {
  if (event_types !== null && !isChosen(type, event_types)) return false;
  return channels === null || channels.some((channel) => published.includes(channel));
}

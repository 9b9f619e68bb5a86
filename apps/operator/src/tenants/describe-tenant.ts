import type { Tone } from '@svc/ui/console/parts/state-mark.tsx';
import type { Tenant } from '../api/tenants.ts';

interface Mark {
  readonly tone: Tone;
  readonly word: string;
}

/** The mark for each eligibility state. */
export const eligibilityMarks: Record<Tenant['eligibility']['state'], Mark> = {
  can_apply: { tone: 'info', word: 'Can apply' },
  approved: { tone: 'info', word: 'Approved' },
  has_plan: { tone: 'good', word: 'Has a plan' },
  declined: { tone: 'warn', word: 'Declined' },
  blocked: { tone: 'warn', word: 'Blocked' },
  cycle_closed: { tone: 'neutral', word: 'Window closed' },
  nothing_due: { tone: 'neutral', word: 'No charges due' },
};

const good = 'active completed paid succeeded settled approved sent delivered confirmed won';
const info = 'created submitted processing pending open waiting';
const warn = 'in_review unknown declined ended paper';
const bad = 'past_due failed overdue returned charged_off bounced given_up reversed lost';

const tones = new Map<string, Tone>(
  Object.entries({ good, info, warn, bad }).flatMap(([tone, states]) =>
    states.split(' ').map((state) => [state, tone as Tone]),
  ),
);

/** Returns the mark of a state of any object in the API. An unknown state has no color. */
export function markOf(state: string): Mark {
  const word = sayWord(state);
  return { tone: tones.get(state.replaceAll(' ', '_')) ?? 'neutral', word };
}

/** Turns a word of the API into text: "past_due" is "Past due". */
export function sayWord(word: string): string {
  const words = word.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

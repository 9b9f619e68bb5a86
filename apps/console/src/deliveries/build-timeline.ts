import type { Attempt, Delivery } from '../api/messages.ts';

/**
 * Builds the eight scheduled steps of a delivery. Manual attempts are listed separately, because they
 * do not affect the schedule.
 */
export function buildTimeline(
  delivery: Delivery,
  attempts: readonly Attempt[],
  publishedAt: number,
): Timeline {
  const scheduled = attempts
    .filter(({ trigger }) => trigger === 'schedule')
    .slice(0, retryWaitsInSeconds.length);
  const steps: Step[] = scheduled.map((attempt, index) => ({
    number: index + 1,
    at: Date.parse(attempt.started_at),
    state: attempt.succeeded ? 'succeeded' : 'failed',
    attempt,
  }));
  const next = delivery.next_attempt_at === null ? null : Date.parse(delivery.next_attempt_at);
  const isOpen =
    delivery.state === 'pending' ||
    delivery.state === 'retrying' ||
    delivery.state === 'delivering';
  let at = steps.at(-1)?.at ?? publishedAt;
  for (let index = steps.length; index < retryWaitsInSeconds.length; index += 1) {
    const isNext = index === scheduled.length;
    at =
      isNext && next !== null && isOpen
        ? next
        : at + (index === 0 ? 0 : (retryWaitsInSeconds[index] ?? 0) * 1000);
    steps.push({
      number: index + 1,
      at,
      state: isOpen ? (isNext ? firstState(delivery) : 'planned') : 'unused',
      attempt: null,
    });
  }
  const extra = attempts.filter(({ trigger }) => trigger !== 'schedule').slice(-maxExtras);
  const start = Math.min(
    steps[0]?.at ?? publishedAt,
    ...extra.map((attempt) => Date.parse(attempt.started_at)),
  );
  const end = Math.max(
    start + totalWaitSeconds * 1000,
    ...[...steps, ...extra.map(startOf)].map((each) => each.at),
  );
  return {
    steps,
    extra,
    place: (instant) =>
      ((Math.min(Math.max(instant, start), end) - start) / (end - start)) ** scaleExponent,
  };
}

interface Timeline {
  steps: Step[];
  /** The newest ten attempts from manual sends and replays. More would hide the line. */
  extra: Attempt[];
  /** Maps an instant to its position on the line, from 0 to 1. */
  place: (instant: number) => number;
}

export interface Step {
  number: number;
  at: number;
  state: 'succeeded' | 'failed' | 'running' | 'next' | 'planned' | 'unused';
  attempt: Attempt | null;
}

/** The retry schedule: seconds before each attempt, counted from the end of the previous one. */
export const retryWaitsInSeconds: readonly number[] = [
  0, 5, 300, 1_800, 7_200, 18_000, 36_000, 36_000,
];
const totalWaitSeconds = retryWaitsInSeconds.reduce((sum, wait) => sum + wait, 0);

const maxExtras = 10;

/** A fifth-root scale fits 5 s and 10 h on one line and spaces the eight steps almost evenly. */
const scaleExponent = 0.2;

function firstState(delivery: Delivery): Step['state'] {
  return delivery.state === 'delivering' ? 'running' : 'next';
}

function startOf(attempt: Attempt): { at: number } {
  return { at: Date.parse(attempt.started_at) };
}

import { Refusal } from '../refusal.ts';

/** A command of the books that cannot run. The message says what to do instead. */
export function refuse(message: string): Refusal {
  return new Refusal('validation_failed', { message });
}

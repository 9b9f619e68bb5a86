import { Refusal } from '../refusal.ts';

/** A command about the books that is refused. The message says what to do instead. */
export function booksRefusal(message: string): Refusal {
  return new Refusal('validation_failed', { message });
}

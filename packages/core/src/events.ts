import type { SvcEventMap, SvcEventType } from '@svc/contract/frame';
import { explain } from './diagnostics/explain.ts';
import type { Instance } from './instance.ts';

/** Sends an event to `onEvent` and to all listeners. A handler that throws does not stop the others. */
export function emit<T extends SvcEventType>(
  instance: Instance,
  type: T,
  data: SvcEventMap[T],
): void {
  if (instance.destroyed) return;
  for (const handler of [instance.settings.onEvent, ...instance.listeners]) {
    callHandler(handler as (type: T, data: SvcEventMap[T]) => unknown, type, data);
  }
}

/** Calls a handler in an async function, so that an exception and a rejected promise both end in the console. */
function callHandler<T extends SvcEventType>(
  handler: (type: T, data: SvcEventMap[T]) => unknown,
  type: T,
  data: SvcEventMap[T],
): void {
  const call = async () => handler(type, data);
  call().catch(console.error);
}

type ErrorDetails = Omit<SvcEventMap['ERROR'], 'retryable'> & {
  /** True if trying again may help, which is the default. */
  retryable?: boolean;
};

/** Emits an ERROR event. `thrown` and `isUnclear` only affect what is written to the console. */
export function emitError(
  instance: Instance,
  { retryable = true, ...details }: ErrorDetails,
  consoleDetails?: { thrown?: unknown; isUnclear?: boolean },
): void {
  const { code, error_code, msg } = details;
  if (!instance.destroyed) {
    instance.problems.push(details);
    // Only the newest are kept, because a page may stay open for days.
    if (instance.problems.length > 20) instance.problems.shift();
    explain(instance, { code, error_code, msg, ...consoleDetails });
  }
  emit(instance, 'ERROR', { ...details, retryable });
}

import type { ErrorEventCode, SvcEventMap, SvcEventType } from '@svc/contract/frame';
import type { Instance } from './instance.ts';

/** Sends an event to `onEvent` and to all listeners. One that throws does not stop the others. */
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

/** Async, so that an exception and a rejected promise both end in the console. */
function callHandler<T extends SvcEventType>(
  handler: (type: T, data: SvcEventMap[T]) => unknown,
  type: T,
  data: SvcEventMap[T],
): void {
  const call = async () => handler(type, data);
  call().catch(console.error);
}

interface ErrorDetails {
  code: ErrorEventCode;
  error_code: string;
  /** For the page's developer: what happened and what to do. Never holds a secret. */
  msg: string;
  /** True unless said otherwise: trying again may help. */
  retryable?: boolean;
}

export function emitError(
  instance: Instance,
  { code, error_code, msg, retryable = true }: ErrorDetails,
): void {
  emit(instance, 'ERROR', { code, msg, error_code, retryable });
}

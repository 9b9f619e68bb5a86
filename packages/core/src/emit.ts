import type { ErrorEventCode, SvcEventMap, SvcEventType } from '@svc/contract/frame';
import type { Running } from './running.ts';

/** Sends an event to `onEvent` and to all listeners. A handler that throws stops no one. */
export function emit<T extends SvcEventType>(at: Running, type: T, data: SvcEventMap[T]): void {
  if (at.destroyed) return;
  for (const handler of [at.settings.onEvent, ...at.listeners]) {
    (async () => handler(type as never, data as never))().catch(console.error);
  }
}

/** Emits ERROR. `error_code` names the case; `msg` holds no secret. */
export function fail(
  at: Running,
  code: ErrorEventCode,
  error_code: string,
  retryable = true,
  msg: string = error_code.replace(/_/g, ' '),
): void {
  emit(at, 'ERROR', { code, msg, error_code, retryable } as SvcEventMap['ERROR']);
}

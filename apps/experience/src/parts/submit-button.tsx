import type { ComponentChildren } from 'preact';
import { useFlow } from '../flow/flow.ts';

/** Sends a screen's form. It is busy while a request is in flight. */
export function SubmitButton({ children }: { children: ComponentChildren }) {
  const { busy } = useFlow().store;
  return (
    <button type="submit" class="svc-button svc-button--block" aria-busy={busy.value}>
      {children}
    </button>
  );
}

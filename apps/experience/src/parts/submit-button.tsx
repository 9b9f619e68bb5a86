import type { ComponentChildren } from 'preact';
import { useFlow } from '../flow/flow.ts';

/** Sends the form of a screen. Busy while a call runs. */
export function SubmitButton({ children }: { children: ComponentChildren }) {
  const { busy } = useFlow().store;
  return (
    <button type="submit" class="svc-button svc-button--block" aria-busy={busy.value}>
      {children}
    </button>
  );
}

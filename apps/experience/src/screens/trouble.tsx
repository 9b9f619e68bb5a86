import { close, useFlow } from '../flow/flow.ts';
import { retryExchange } from '../flow/session.ts';
import type { Trouble as Kind } from '../flow/store.ts';
import { isIncomplete } from '../load-the-rest.ts';
import { Emblem } from '../parts/icons.tsx';
import { Screen } from '../parts/screen.tsx';
import { useWords } from '../words/use-words.ts';

/** No session, so no step: what happened, whether money moved, and the way on. */
export function Trouble({ trouble }: { trouble: Kind }) {
  const flow = useFlow();
  const { words } = useWords();
  const copy = words.trouble[trouble.kind];
  const requestId = 'problem' in trouble ? (trouble.problem?.requestId ?? null) : null;
  return (
    <Screen
      title={copy.title}
      lead={copy.text}
      emblem={<Emblem name={trouble.kind === 'session_ended' ? 'clock' : 'offline'} tone="plain" />}
      footer={
        <div class="actions">
          <button
            type="button"
            class={
              trouble.kind === 'unreachable'
                ? 'svc-button svc-button--secondary svc-button--block'
                : 'svc-button svc-button--block'
            }
            onClick={() => close(flow)}
          >
            {words.close}
          </button>
          {trouble.kind === 'unreachable' && (
            <button
              type="button"
              class="svc-button svc-button--block"
              onClick={() => (isIncomplete.value ? location.reload() : retryExchange(flow))}
            >
              {words.tryAgain}
            </button>
          )}
        </div>
      }
    >
      <p>{copy.todo}</p>
      {requestId !== null && <p class="reference">{words.notices.reference(requestId)}</p>}
    </Screen>
  );
}

/** Opened outside a portal's frame: there is nobody to bring a token. */
export function Unframed() {
  const { words } = useWords();
  return (
    <Screen
      title={words.trouble.unframed.title}
      lead={words.trouble.unframed.text}
      emblem={<Emblem name="window" tone="plain" />}
    />
  );
}

import { closeExperience, useFlow } from '../flow/flow.ts';
import { retryExchange } from '../flow/session.ts';
import type { Trouble as Kind } from '../flow/store.ts';
import { isIncomplete } from '../load-the-rest.ts';
import { Emblem } from '../parts/icons.tsx';
import { Screen } from '../parts/screen.tsx';
import { useFirstWords } from '../words/use-words.ts';

/** Replaces the step: what happened, whether money moved, and what to do next. */
export function Trouble({ trouble }: { trouble: Kind }) {
  const { words } = useFirstWords();
  const { kind } = trouble;
  const copy = words.trouble[kind];
  const requestId = 'problem' in trouble ? (trouble.problem?.requestId ?? null) : null;
  return (
    <Screen
      title={copy.title}
      lead={copy.text}
      emblem={<Emblem name={emblems[kind]} tone="plain" />}
      // These are shown outside a frame, where there is nothing to close.
      {...(['link_over', 'hosted_over', 'link_blocked', 'left'].includes(kind)
        ? {}
        : { footer: <TroubleActions kind={kind} /> })}
    >
      <p>{copy.todo}</p>
      {requestId !== null && <p class="reference">{words.reference(requestId)}</p>}
    </Screen>
  );
}

const emblems = {
  session_ended: 'clock',
  unreachable: 'offline',
  broken: 'alert',
  refused: 'alert',
  link_over: 'window',
  hosted_over: 'window',
  link_blocked: 'window',
  left: 'check',
} as const;

function TroubleActions({ kind }: { kind: Kind['kind'] }) {
  const flow = useFlow();
  const { words } = useFirstWords();
  const isSignedOut = kind === 'session_ended';
  const mayRetry = isSignedOut || kind === 'unreachable' || kind === 'broken';
  const mustReload = kind === 'broken' || isIncomplete.value;

  function retry(): void {
    if (isSignedOut) flow.send({ svc: 1, type: 'token_needed' });
    else if (mustReload) location.reload();
    else retryExchange(flow);
  }
  return (
    <div class="actions">
      <button
        type="button"
        class={`svc-button svc-button--block${mayRetry ? ' svc-button--secondary' : ''}`}
        onClick={() => closeExperience(flow)}
      >
        {words.close}
      </button>
      {mayRetry && (
        <button type="button" class="svc-button svc-button--block" onClick={retry}>
          {isSignedOut ? words.continue : words.tryAgain}
        </button>
      )}
    </div>
  );
}

/** Shown outside a portal's frame without an email link, where no session is possible. */
export function Unframed() {
  const { words } = useFirstWords();
  return (
    <Screen
      title={words.trouble.unframed.title}
      lead={words.trouble.unframed.text}
      emblem={<Emblem name="window" tone="plain" />}
    />
  );
}

import { useEffect, useErrorBoundary, useLayoutEffect } from 'preact/hooks';
import { useFlow } from './flow/flow.ts';
import { isIncomplete } from './load-the-rest.ts';
import { Loading } from './screens/loading.tsx';
import { OpenLink } from './screens/open-link.tsx';
import { messageScreen, screens } from './screens/screens.ts';
import { Trouble, Unframed } from './screens/trouble.tsx';
import { directionOf, useFirstWords, useHasWords } from './words/use-words.ts';

/**
 * Renders the current screen, and reports each step to the partner's page. `isUnframed` is true if there
 * is neither a partner's page around it nor an email link.
 */
export function App({ isUnframed }: { isUnframed: boolean }) {
  const { store, send } = useFlow();
  const { words, locale } = useFirstWords();
  const view = store.view.value;
  const step = store.step.value;
  const theme = store.theme.value;
  const answeredTokens = store.answeredTokens.value;
  const [broken] = useErrorBoundary((error) => console.error(error));
  const Current = screens.value[step];
  const isWaiting = view.kind === 'step' && Current === undefined;
  const isStuck = isWaiting && isIncomplete.value;
  // If a translation fails to load, the screen stays in English.
  const hasWords = useHasWords() || isIncomplete.value;
  const isShown = hasWords && (!isWaiting || isStuck);

  useLayoutEffect(() => {
    if (theme === 'auto') delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = theme;
  }, [theme]);
  useEffect(() => {
    document.documentElement.lang = locale;
    document.documentElement.dir = directionOf(locale);
    const name = view.kind === 'step' ? `${words.steps[step]} · ` : '';
    document.title = `${name}${words.documentTitle}`;
  }, [view.kind, step, words, locale]);
  useEffect(() => {
    if (view.kind === 'step') send({ svc: 1, type: 'step', step });
  }, [view.kind, step, send]);
  useEffect(() => {
    if (answeredTokens === 0 || !isShown) return;
    return afterPaint(() => send({ svc: 1, type: 'ready' }));
  }, [answeredTokens, isShown, send]);

  if (isUnframed) return <Unframed />;
  if (broken) return <Trouble trouble={{ kind: 'broken' }} />;
  if (isStuck) return <Trouble trouble={{ kind: 'unreachable', problem: null }} />;
  if (view.kind === 'loading' || !isShown) return <Loading />;
  if (view.kind === 'link') return <OpenLink />;
  if (view.kind === 'code') {
    const Message = messageScreen.value;
    if (Message !== null) return <Message sentTo={view.sentTo} />;
    if (!isIncomplete.value) return <Loading />;
    return <Trouble trouble={{ kind: 'unreachable', problem: null }} />;
  }
  if (view.kind === 'trouble') return <Trouble trouble={view.trouble} />;
  const state = store.state.value;
  if (state === null || Current === undefined) return <Loading />;
  return (
    <>
      {state.viewed_by_operator ? (
        <p class="viewing" role="status">
          {words.viewing}
        </p>
      ) : null}
      <Current key={step} state={state} />
    </>
  );
}

/** Calls `run` after the next paint, or after 100 ms: a hidden frame gets no animation frames. Returns `cancel`. */
function afterPaint(run: () => void): () => void {
  let frame = requestAnimationFrame(() => {
    frame = requestAnimationFrame(finish);
  });
  const timer = setTimeout(finish, 100);
  return cancel;

  function finish(): void {
    cancel();
    run();
  }
  function cancel(): void {
    cancelAnimationFrame(frame);
    clearTimeout(timer);
  }
}

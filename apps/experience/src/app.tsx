import { useEffect, useErrorBoundary, useLayoutEffect } from 'preact/hooks';
import { useFlow } from './flow/flow.ts';
import { isIncomplete } from './load-the-rest.ts';
import { Loading } from './screens/loading.tsx';
import { OpenLink } from './screens/open-link.tsx';
import { screens } from './screens/screens.ts';
import { Trouble } from './screens/trouble.tsx';
import { directionOf, useHasWords, useWords } from './words/use-words.ts';

/** Renders the screen that the store names, and reports steps to the partner's page. */
export function App() {
  const { store, send } = useFlow();
  const { words, locale } = useWords();
  const view = store.view.value;
  const step = store.step.value;
  const theme = store.theme.value;
  const settled = store.settled.value;
  const [broken] = useErrorBoundary((error) => console.error(error));
  const Current = screens.value[step];
  const isWaiting = view.kind === 'step' && Current === undefined;
  const isStuck = isWaiting && isIncomplete.value;
  // English stands in for words that fail to load.
  const hasWords = useHasWords() || isIncomplete.value;
  const isHere = hasWords && (!isWaiting || isStuck);

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
    if (settled === 0 || !isHere) return;
    return afterPaint(() => send({ svc: 1, type: 'ready' }));
  }, [settled, isHere, send]);

  if (broken) return <Trouble trouble={{ kind: 'broken' }} />;
  if (isStuck) return <Trouble trouble={{ kind: 'unreachable', problem: null }} />;
  if (view.kind === 'loading' || !isHere) return <Loading />;
  if (view.kind === 'link') return <OpenLink />;
  if (view.kind === 'trouble') return <Trouble trouble={view.trouble} />;
  const state = store.state.value;
  if (state === null || Current === undefined) return <Loading />;
  return <Current key={step} state={state} />;
}

/** Runs after the next paint. A hidden frame gets no animation frames, so 100 ms must do there. */
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

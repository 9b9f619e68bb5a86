import type { ExperienceState } from '@svc/contract';
import type { Step } from '@svc/contract/frame';
import type { ComponentType } from 'preact';
import { useEffect, useLayoutEffect } from 'preact/hooks';
import { useFlow } from './flow/flow.ts';
import { Application } from './screens/application.tsx';
import { Blocked } from './screens/blocked.tsx';
import { Consent } from './screens/consent.tsx';
import { Decision } from './screens/decision.tsx';
import { Declined } from './screens/declined.tsx';
import { Done } from './screens/done.tsx';
import { Loading } from './screens/loading.tsx';
import { Manage } from './screens/manage/manage.tsx';
import { Offer } from './screens/offer.tsx';
import { PaymentMethod } from './screens/payment-method.tsx';
import { PlanChoice } from './screens/plan-choice.tsx';
import { Trouble } from './screens/trouble.tsx';
import { useWords } from './words/use-words.ts';

const screens: Record<Step, ComponentType<{ state: ExperienceState }>> = {
  offer: Offer,
  application: Application,
  payment_method: PaymentMethod,
  decision: Decision,
  plan_choice: PlanChoice,
  consent: Consent,
  done: Done,
  declined: Declined,
  manage: Manage,
  blocked: Blocked,
};

/** One screen at a time, by the store; and what the partner's page must hear of it. */
export function App() {
  const { store, send } = useFlow();
  const { words, locale } = useWords();
  const view = store.view.value;
  const step = store.step.value;
  const theme = store.theme.value;
  const settled = store.settled.value;

  useLayoutEffect(() => {
    if (theme === 'auto') delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = theme;
  }, [theme]);
  useEffect(() => {
    document.documentElement.lang = locale;
    const name = view.kind === 'step' ? `${words.steps[step]} · ` : '';
    document.title = `${name}${words.documentTitle}`;
  }, [view.kind, step, words, locale]);
  useEffect(() => {
    if (view.kind === 'step') send({ svc: 1, type: 'step', step });
  }, [view.kind, step, send]);
  useEffect(() => {
    if (settled === 0) return;
    return afterPaint(() => send({ svc: 1, type: 'ready' }));
  }, [settled, send]);

  if (view.kind === 'loading') return <Loading />;
  if (view.kind === 'trouble') return <Trouble trouble={view.trouble} />;
  const state = store.state.value;
  if (state === null) return <Loading />;
  const Current = screens[step];
  return <Current key={step} state={state} />;
}

/** A frame that is not shown yet paints nothing and gets no animation frame: then 100 ms do. */
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

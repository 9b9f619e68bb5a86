import type { ExperienceState } from '@svc/contract';
import { goToStep, openPanel, useFlow } from '../../flow/flow.ts';
import type { Panel, Paper } from '../../flow/store.ts';
import { ConfirmIdentity } from '../confirm-identity.tsx';
import { Account } from './account.tsx';
import { AutopaySwitch, Cancel } from './confirm.tsx';
import { Home } from './home.tsx';
import { Move } from './move.tsx';
import { Agreement } from './papers/agreement.tsx';
import { Receipt } from './papers/receipt.tsx';
import { Pay } from './pay.tsx';
import type { PaperProps } from './plan-page.ts';

/** The plan's home, or the page of the plan that is open. */
export function Manage({ state }: { state: ExperienceState }) {
  const flow = useFlow();
  const panel = flow.store.panel.value;
  const { plan, management } = state;
  if (panel.kind === 'past') return <Past state={state} panel={panel} />;
  if (plan === null || management === null) return null;
  const home = () => openPanel(flow, { kind: 'home' });
  const onPaper = (paper: Paper) => openPanel(flow, { kind: 'paper', paper });
  const props = { state, plan, management };
  if (state.mail_access !== null && isForOwner(panel)) {
    return <ConfirmIdentity state={state} onBack={home} />;
  }
  switch (panel.kind) {
    case 'home':
    case 'confirm':
      return <Home {...props} onPaper={onPaper} />;
    case 'pay':
      return <Pay {...props} />;
    case 'move':
      return <Move {...props} />;
    case 'account':
      return <Account {...props} />;
    case 'autopay':
      return <AutopaySwitch {...props} />;
    case 'cancel':
      return <Cancel {...props} />;
    case 'paper':
      return <PaperPage {...props} paper={panel.paper} onBack={home} />;
  }
}

/** A session from a mail link may look at the plan and its receipts. Everything else needs the tenant. */
function isForOwner(panel: Panel): boolean {
  if (panel.kind === 'home') return false;
  return !('paper' in panel && panel.paper?.kind === 'receipt');
}

interface PastProps {
  state: ExperienceState;
  panel: Extract<Panel, { kind: 'past' }>;
}

/** A closed plan. Going back leads to the page it was opened from. */
function Past({ state, panel }: PastProps) {
  const flow = useFlow();
  const { past, paper } = panel;
  const show = (next: Paper | null) => openPanel(flow, { ...panel, paper: next });
  const props = { state, plan: past.plan, management: past.management };
  if (state.mail_access !== null && paper !== null && isForOwner(panel)) {
    return <ConfirmIdentity state={state} onBack={() => show(null)} />;
  }
  return paper === null ? (
    <Home {...props} onBack={() => goToStep(flow, state.step)} onPaper={show} />
  ) : (
    <PaperPage {...props} paper={paper} onBack={() => show(null)} />
  );
}

function PaperPage({ paper, ...props }: PaperProps & { paper: Paper }) {
  return paper.kind === 'agreement' ? (
    <Agreement {...props} />
  ) : (
    <Receipt {...props} id={paper.id} />
  );
}

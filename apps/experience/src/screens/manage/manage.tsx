import type { ExperienceState } from '@svc/contract';
import { go, open, useFlow } from '../../flow/flow.ts';
import type { Panel, Paper } from '../../flow/store.ts';
import { ConfirmIdentity } from '../confirm-identity.tsx';
import { Account } from './account.tsx';
import { AutopaySwitch, Cancel } from './confirm.tsx';
import { Home } from './home.tsx';
import { Move } from './move.tsx';
import { Agreement } from './papers/agreement.tsx';
import { Receipt } from './papers/receipt.tsx';
import { Pay } from './pay.tsx';
import type { PaperProps } from './room.ts';

/** The home of a plan, or the one of its rooms that is open. */
export function Manage({ state }: { state: ExperienceState }) {
  const flow = useFlow();
  const panel = flow.store.panel.value;
  const { plan, management } = state;
  if (panel.kind === 'past') return <Past state={state} panel={panel} />;
  if (plan === null || management === null) return null;
  const home = () => open(flow, { kind: 'home' });
  const onPaper = (paper: Paper) => open(flow, { kind: 'paper', paper });
  const room = { state, plan, management };
  if (state.mail_access !== null && isForOwner(panel)) {
    return <ConfirmIdentity state={state} onBack={home} />;
  }
  switch (panel.kind) {
    case 'home':
    case 'confirm':
      return <Home {...room} onPaper={onPaper} />;
    case 'pay':
      return <Pay {...room} />;
    case 'move':
      return <Move {...room} />;
    case 'account':
      return <Account {...room} />;
    case 'autopay':
      return <AutopaySwitch {...room} />;
    case 'cancel':
      return <Cancel {...room} />;
    case 'paper':
      return <PaperRoom {...room} paper={panel.paper} onBack={home} />;
  }
}

/** A session from a mail link may look at the plan and its receipts. Everything else needs the tenant. */
function isForOwner(panel: Panel): boolean {
  if (panel.kind === 'home') return false;
  return !('paper' in panel && panel.paper?.kind === 'receipt');
}

/** A plan that is over, from wherever its line was pressed, and back there. */
function Past(props: { state: ExperienceState; panel: Extract<Panel, { kind: 'past' }> }) {
  const { state, panel } = props;
  const flow = useFlow();
  const { past, paper } = panel;
  const show = (next: Paper | null) => open(flow, { ...panel, paper: next });
  const room = { state, plan: past.plan, management: past.management };
  if (state.mail_access !== null && paper !== null && isForOwner(panel)) {
    return <ConfirmIdentity state={state} onBack={() => show(null)} />;
  }
  return paper === null ? (
    <Home {...room} onBack={() => go(flow, state.step)} onPaper={show} />
  ) : (
    <PaperRoom {...room} paper={paper} onBack={() => show(null)} />
  );
}

function PaperRoom({ paper, ...room }: PaperProps & { paper: Paper }) {
  return paper.kind === 'agreement' ? <Agreement {...room} /> : <Receipt {...room} id={paper.id} />;
}

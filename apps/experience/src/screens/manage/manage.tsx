import type { ExperienceState } from '@svc/contract';
import { goToStep, openPanel, useFlow } from '../../flow/flow.ts';
import type { Panel, PlanDocument } from '../../flow/store.ts';
import { ConfirmIdentity } from '../confirm-identity.tsx';
import { Account } from './account.tsx';
import { CantPay } from './cant-pay.tsx';
import { AutopaySwitch, Cancel } from './confirm.tsx';
import { Agreement } from './documents/agreement.tsx';
import { Receipt } from './documents/receipt.tsx';
import { Records } from './electronic-records.tsx';
import { Home } from './home.tsx';
import { Move } from './move.tsx';
import { Pay } from './pay.tsx';
import type { DocumentPageProps } from './plan-page.ts';
import { TextCode, TextNumber, TextsOn } from './text-reminders.tsx';

/** The open plan: its home page, or the page that the tenant has opened. */
export function Manage({ state }: { state: ExperienceState }) {
  const flow = useFlow();
  const panel = flow.store.panel.value;
  const { plan, management } = state;
  if (panel.kind === 'past') return <PastPlan state={state} panel={panel} />;
  if (plan === null || management === null) return null;
  const home = () => openPanel(flow, { kind: 'home' });
  const onDocument = (chosen: PlanDocument) =>
    openPanel(flow, { kind: 'document', document: chosen });
  const props = { state, plan, management };
  if (state.mail_access !== null && needsConfirmation(panel)) {
    return <ConfirmIdentity state={state} onBack={home} />;
  }
  switch (panel.kind) {
    case 'home':
    case 'confirm':
      return <Home {...props} onDocument={onDocument} />;
    case 'pay':
      return <Pay {...props} />;
    case 'cant_pay':
      return <CantPay {...props} />;
    case 'move':
      return <Move {...props} />;
    case 'account':
      return <Account {...props} />;
    case 'autopay':
      return <AutopaySwitch {...props} />;
    case 'cancel':
      return <Cancel {...props} />;
    case 'records':
      return <Records records={panel.records} />;
    case 'texts':
      return <TextsOn texts={panel.texts} />;
    case 'text_number':
      return <TextNumber texts={panel.texts} />;
    case 'text_code':
      return <TextCode {...panel} />;
    case 'document':
      return <DocumentPage {...props} shown={panel.document} onBack={home} />;
  }
}

/** Returns whether a session from an email link must be confirmed first. It may see the plan, options and receipts. */
function needsConfirmation(panel: Panel): boolean {
  if (panel.kind === 'home' || panel.kind === 'cant_pay') return false;
  return !('document' in panel && panel.document?.kind === 'receipt');
}

interface PastPlanProps {
  state: ExperienceState;
  panel: Extract<Panel, { kind: 'past' }>;
}

/** A closed plan. Going back leads to the page it was opened from. */
function PastPlan({ state, panel }: PastPlanProps) {
  const flow = useFlow();
  const { past, document: shown } = panel;
  const show = (next: PlanDocument | null) => openPanel(flow, { ...panel, document: next });
  const props = { state, plan: past.plan, management: past.management };
  if (state.mail_access !== null && shown !== null && needsConfirmation(panel)) {
    return <ConfirmIdentity state={state} onBack={() => show(null)} />;
  }
  return shown === null ? (
    <Home {...props} onBack={() => goToStep(flow, state.step)} onDocument={show} />
  ) : (
    <DocumentPage {...props} shown={shown} onBack={() => show(null)} />
  );
}

function DocumentPage({ shown, ...props }: DocumentPageProps & { shown: PlanDocument }) {
  return shown.kind === 'agreement' ? (
    <Agreement {...props} />
  ) : (
    <Receipt {...props} id={shown.id} />
  );
}

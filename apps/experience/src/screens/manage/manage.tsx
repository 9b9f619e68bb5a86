import type { ExperienceState, PlanManagement } from '@svc/contract';
import { useFlow } from '../../flow/flow.ts';
import { Account } from './account.tsx';
import { Agreement } from './agreement.tsx';
import { AutopaySwitch, Cancel } from './confirm.tsx';
import { Home } from './home.tsx';
import { Move } from './move.tsx';
import { Pay } from './pay.tsx';
import { Receipt } from './receipt.tsx';

export type Plan = NonNullable<ExperienceState['plan']>;

/** What each room of the plan's home gets. */
export interface RoomProps {
  state: ExperienceState;
  plan: Plan;
  management: PlanManagement;
}

/** The home of a plan, or the one of its rooms that is open. */
export function Manage({ state }: { state: ExperienceState }) {
  const panel = useFlow().store.panel.value;
  const { plan, management } = state;
  if (plan === null) return null;
  if (management === null) return <Home state={state} plan={plan} management={null} />;
  const room = { state, plan, management };
  switch (panel.kind) {
    case 'home':
      return <Home {...room} />;
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
    case 'agreement':
      return <Agreement {...room} />;
    case 'receipt':
      return <Receipt {...room} id={panel.id} />;
  }
}

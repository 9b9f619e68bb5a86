import { Application } from './apply/application.tsx';
import { Consent } from './apply/consent.tsx';
import { Decision } from './apply/decision.tsx';
import { Done } from './apply/done.tsx';
import { PaymentMethod } from './apply/method/payment-method.tsx';
import { PlanChoice } from './apply/plan-choice.tsx';
import { Blocked } from './blocked.tsx';
import { onceConfirmed } from './confirm-identity.tsx';
import { Declined } from './declined.tsx';
import { Manage } from './manage/manage.tsx';

export { loadRecordsAhead } from '../flow/electronic-records.ts';
export { laterWords } from '../words/en-later.ts';
export { OpenMessage } from './open-message.tsx';

/** The screens that load after the first one, as one chunk of the build with their words. */
export const laterScreens = {
  application: onceConfirmed(Application),
  payment_method: onceConfirmed(PaymentMethod),
  decision: Decision,
  plan_choice: onceConfirmed(PlanChoice),
  consent: onceConfirmed(Consent),
  done: Done,
  blocked: Blocked,
  declined: Declined,
  manage: Manage,
};

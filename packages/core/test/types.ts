/** Code that must compile, and code that must not. The type checker is the test. */
import type {
  ErrorEventCode,
  SvcEventArguments,
  SvcEventHandler,
  SvcEventType,
  SvcInstance,
  SvcSettings,
} from '../src/index.ts';

declare const svc: SvcInstance;
declare const settings: SvcSettings;
declare function take(onEvent: SvcEventHandler): void;
declare function want<T>(value: T): void;

take(() => {});
take((type) => want<SvcEventType>(type));
take((type: string) => want(type));
take(async (type) => want<SvcEventType>(type));
take((type, data) => {
  if (type === 'REPAY') want<number>(data.amount_in_cents);
  if (type === 'ERROR') want<ErrorEventCode>(data.code);
});
take((type, data) => {
  switch (type) {
    case 'SPLIT_RENT':
      want<string[]>(data.charges_paid);
      break;
    case 'EXPERIENCE_CLOSED':
      want<'completed' | 'dismissed' | 'error' | 'destroyed'>(data.reason);
      break;
    default:
      want(data);
  }
});
take((...[type, data]) => {
  if (type === 'TOKEN_EXPIRED') want<boolean>(data.renewable);
});
take((type: string, data: unknown) => want({ type, data }));
take((...event: SvcEventArguments) => want<SvcEventType>(event[0]));
// @ts-expect-error an event's type is not a number
take((type: number) => want(type));
// @ts-expect-error data is never a string
take((type, data: string) => want({ type, data }));
// @ts-expect-error there is no third argument
take((type, data, more) => want({ type, data, more }));
// @ts-expect-error without its type, data could be that of any event
take((_, data) => want(data.plan_id));
take((type, data) => {
  // @ts-expect-error a repayment has no settlement
  if (type === 'REPAY') want(data.settlement_id);
  // @ts-expect-error no event has this name
  if (type === 'REPAID') want(data);
});
// @ts-expect-error not a function
take('console.log');

const off: () => void = svc.on('ERROR', ({ code }) => want<ErrorEventCode>(code));
off();
// @ts-expect-error no event has this name
svc.on('ERRORS', () => {});
// @ts-expect-error the data of another event
svc.on('ERROR', ({ plan_id }) => want(plan_id));

svc.update({ balance: 1 });
svc.update({ token: undefined, locale: undefined });
// @ts-expect-error cents are a number
svc.update({ balance: '1' });
// @ts-expect-error React's name for it
svc.update({ product_variant: 'hoa' });
// @ts-expect-error neither rent nor hoa
svc.update({ productVariant: 'HOA' });
// @ts-expect-error no such environment
want<SvcSettings>({ ...settings, environment: 'staging' });
// @ts-expect-error a token is required
void svc.openExperienceAndSetToken();
// @ts-expect-error the core takes the plain token
void svc.openExperienceAndSetToken({ token: 'svc_tt_1' });
// @ts-expect-error no such variable
svc.update({ appearance: { variables: { background: '#fff' } } });

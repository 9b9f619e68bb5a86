/** Code that must compile, and code that must not. The type checker is the test. */
import {
  Environment,
  openExperienceAndSetToken,
  SvcWidget,
  type SvcWidgetProps,
} from '../src/index.ts';

declare function want<T>(value: T): void;

const props: SvcWidgetProps = {
  balance: 152012,
  pms: 'maple',
  externalId: 't-100',
  signature: '5'.repeat(64),
  environment: Environment.Sandbox,
  onEvent: () => {},
  onWidgetClickCallback: () => openExperienceAndSetToken({ token: 'svc_tt_1' }),
};

export const right = [
  <SvcWidget key="type" {...props} onEvent={(type) => want<string>(type)} />,
  <SvcWidget
    key="data"
    {...props}
    onEvent={(type, data) => {
      if (type === 'REPAY') want<number>(data.amount_in_cents);
      // @ts-expect-error a repayment has no settlement
      if (type === 'REPAY') want(data.settlement_id);
    }}
  />,
  <SvcWidget key="variant" {...props} product_variant="hoa" style={{ width: 420 }} />,
];

export const wrong = [
  // @ts-expect-error the core's name for it
  <SvcWidget key="variant" {...props} productVariant="hoa" />,
  // @ts-expect-error cents are a number
  <SvcWidget key="balance" {...props} balance="152012" />,
  // @ts-expect-error an event's type is not a number
  <SvcWidget key="event" {...props} onEvent={(type: number) => want(type)} />,
  // @ts-expect-error nearly all settings are required
  <SvcWidget key="none" balance={1} />,
];

// @ts-expect-error React takes an object
void (() => openExperienceAndSetToken('svc_tt_1'));

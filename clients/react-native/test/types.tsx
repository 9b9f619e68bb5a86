/** Code that must compile, and code that must not. example.full.test.ts runs the type checker. */
import { Environment, openExperience, SvcWidget, type SvcWidgetProps } from '../src/index.ts';

declare function want<T>(value: T): void;

const props: SvcWidgetProps = {
  balance: 152012,
  pms: 'maple',
  externalId: 't-100',
  signature: '5'.repeat(64),
  environment: Environment.Sandbox,
  baseUrl: 'https://svc.example/v1',
  onEvent: () => {},
  onWidgetClickCallback: () => openExperience({ token: 'svc_tt_1' }),
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
  <SvcWidget key="variant" {...props} product_variant="hoa" style={[{ height: 300 }, null]} />,
];

const { baseUrl: _, ...withoutService } = props;

export const wrong = [
  // @ts-expect-error the core's name of it
  <SvcWidget key="variant" {...props} productVariant="hoa" />,
  // @ts-expect-error a phone's localhost is the phone
  <SvcWidget key="service" {...withoutService} />,
  // @ts-expect-error an app has no CSS classes
  <SvcWidget key="class" {...props} className="rent" />,
];

// @ts-expect-error it takes an object
void (() => openExperience('svc_tt_1'));

import { z } from 'zod';
import type { WidgetSession } from './frame.ts';
import { environment, externalId, isoDate, productVariant } from './primitives.ts';
import {
  stateOfStatus,
  type WidgetStatus,
  widgetPaymentStates,
  widgetStates,
  widgetStatuses,
} from './vocabulary.ts';

/** The widget's only request. The partner's signature identifies the tenant. */
export const widgetSessionInput = z.strictObject({
  pms: z.string().max(100),
  external_id: externalId,
  signature: z.string().max(200),
  product_variant: productVariant.default('rent'),
});

/** States and dates only. The signature never expires, so no amounts, names or reasons. */
export const widgetSessionOutput = z.object({
  state: z.enum(widgetStates),
  status: z.enum(widgetStatuses),
  next_payment_on: isoDate.nullable(),
  available_on: isoDate.nullable(),
  payments: z.array(
    z.object({
      due_on: isoDate,
      state: z.enum(widgetPaymentStates),
      moved: z.literal(true).exactOptional(),
    }),
  ),
  credited_on: z.array(isoDate).exactOptional(),
});
export type WidgetSessionOutput = z.infer<typeof widgetSessionOutput>;

/** The session with the service's environment, which tells the SDK that a production page points to a sandbox. */
export const widgetSessionAnswer = widgetSessionOutput.extend({
  environment,
}) satisfies z.ZodType<WidgetSession>;

export function widgetSessionOf(
  status: WidgetStatus,
  next_payment_on: string | null = null,
  available_on: string | null = null,
  payments: WidgetSessionOutput['payments'] = [],
): WidgetSessionOutput {
  return { state: stateOfStatus[status], status, next_payment_on, available_on, payments };
}

import { z } from 'zod';
import type { WidgetSession } from './frame.ts';
import { externalId, isoDate, productVariant } from './primitives.ts';
import { widgetStates } from './vocabulary.ts';

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
  next_payment_on: isoDate.nullable(),
  available_on: isoDate.nullable(),
}) satisfies z.ZodType<WidgetSession>;

export function widgetSessionOf(
  state: WidgetSession['state'],
  next_payment_on: string | null = null,
  available_on: string | null = null,
): WidgetSession {
  return { state, next_payment_on, available_on };
}

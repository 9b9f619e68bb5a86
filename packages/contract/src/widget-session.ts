import { z } from 'zod';
import type { ErrorEventCode, SvcEvent, WidgetSession } from './frame.ts';
import { externalId, isoDate, productVariant } from './primitives.ts';

const states = ['new', 'can_split', 'has_plan', 'nothing_due', 'unavailable'] as const;
const lines = ['Next payment on {date}', 'Your plan is active', 'Not available right now'] as const;

/** The widget's one request: identity, and what the widget says. No amounts, no names. */
export const widgetSessionInput = z.strictObject({
  pms: z.string().max(100),
  external_id: externalId,
  signature: z.string().max(200),
  product_variant: productVariant.default('rent'),
});
export const widgetSessionOutput = z.object({
  state: z.enum(states),
  next_payment_on: isoDate.nullable(),
  line: z.enum(lines).optional(),
  line_at_zero: z.enum(lines).optional(),
  action: z.literal('See my plan').optional(),
  disabled: z.literal(true).optional(),
}) satisfies z.ZodType<WidgetSession>;

/** What the widget is told: the state, and the words for it where its own ones would be wrong. */
export function widgetSessionOf(
  state: WidgetSession['state'],
  next_payment_on: string | null = null,
): WidgetSession {
  const line = next_payment_on ? 'Next payment on {date}' : 'Your plan is active';
  const words = {
    new: {},
    can_split: {},
    has_plan: { line, line_at_zero: line, action: 'See my plan' },
    // A page with a balance knows of a bill that we were not told yet.
    nothing_due: {},
    // It opens all the same: the experience tells why.
    unavailable: { line: 'Not available right now' },
  } as const;
  return { state, next_payment_on, ...words[state] };
}

/** What a refusal of that request tells besides: the event to emit, and what the widget says now. */
export function widgetRefusalOf(refusal: {
  status: number;
  code: string;
  message: string;
  request_id: string;
}): { event: SvcEvent; tenant: WidgetSession | null } {
  const { status, code: error_code, message: msg, request_id } = refusal;
  const codes: Record<number, ErrorEventCode> = { 401: 1001, 403: 1300, 422: 1000 };
  const retryable = status === 429 || status >= 500;
  const data = { code: codes[status] ?? 1500, msg, error_code, retryable, request_id } as const;
  // A service that is only busy leaves the widget usable; the experience checks again.
  const tenant = retryable ? null : { ...widgetSessionOf('unavailable'), disabled: true as const };
  return { event: { type: 'ERROR', data }, tenant };
}

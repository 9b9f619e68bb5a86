import { type EventData, type EventType, installmentStates } from '@svc/contract';
import { z } from 'zod';
import { newId } from '../../ids.ts';
import type { MailType } from '../../words/mail-types.ts';

/** Facts that only the mail about an event reports, as they are when it happens. */
const mailFacts = z.object({
  amount_in_cents: z.int().optional(),
  /** Everything that is left to pay. */
  left_in_cents: z.int().optional(),
  next: z.object({ amount_in_cents: z.int(), due_date: z.string() }).nullable().optional(),
  autopay: z.boolean().optional(),
  /** The part of a refund that lowered the debt. */
  credited_in_cents: z.int().optional(),
  /** The part of a refund that went back to the tenant. */
  refunded_in_cents: z.int().optional(),
  /** The credit is not the landlord's: we waived the fee or a part of it. */
  is_fee_waiver: z.boolean().optional(),
  /** An operator made the change, at the tenant's wish. */
  by_operator: z.boolean().optional(),
  /** The day of the payment of which a part was paid. */
  due_date: z.string().optional(),
  /** The rest of a payment of which a part was paid. */
  rest: z.object({ amount_in_cents: z.int(), automatic: z.boolean() }).optional(),
  /** The plan's payments in the order of their dates, for its bar. Missing in mails of an older service. */
  parts: z.array(z.object({ number: z.int(), state: z.enum(installmentStates) })).optional(),
});
export type MailFacts = z.infer<typeof mailFacts>;

/** The part of an event's data that its mail reports. The message of the event has all of it. */
export const mailData = mailFacts.extend({
  plan_id: z.string().optional(),
  application_id: z.string().optional(),
  number: z.int().optional(),
  return_code: z.string().optional(),
  next_attempt_at: z.string().nullable().optional(),
  taken_back: z.boolean().optional(),
  /** The day before a payment was moved. */
  from: z.string().optional(),
  reapply_after: z.string().nullable().optional(),
  reason: z.string().optional(),
});

/** A mail to the tenant about one of the events, sent by a job after the commit. */
export interface OutgoingMail extends Addressee {
  readonly id: string;
  readonly type: MailType;
  readonly data: z.infer<typeof mailData>;
}

interface Addressee {
  readonly partnerId: string;
  readonly externalId: string;
  readonly simulated: boolean;
}

interface EmittedEvent {
  readonly type: EventType;
  readonly data: object;
  readonly mail?: MailFacts | undefined;
}

/**
 * Returns the mails about events that were emitted together: one for each thing that happened. A last payment
 * and the end of its plan are one mail, and so are a failed payment and what it changes.
 */
export function mailsOf(
  now: Date,
  { partnerId, externalId, simulated }: Addressee,
  events: readonly EmittedEvent[],
): OutgoingMail[] {
  const types = new Set(events.map(({ type }) => type));
  return events.flatMap((event) => {
    const type = mailTypeOf(event, types);
    if (type === null) return [];
    const data = mailData.parse({ ...event.data, ...event.mail });
    return [{ id: newId('mal', now), type, data, partnerId, externalId, simulated }];
  });
}

/** Returns the type of the mail about an event; null if there is none, or if another event's mail reports it. */
function mailTypeOf(event: EmittedEvent, emitted: ReadonlySet<EventType>): MailType | null {
  const { type, data, mail } = event;
  switch (type) {
    case 'application.declined':
    case 'plan.activated':
    case 'installment.upcoming':
    case 'installment.failed':
    case 'installment.rescheduled':
      return type;
    case 'installment.paid':
      return emitted.has('plan.completed') ? 'plan.completed' : type;
    case 'autopay.enabled':
    case 'autopay.disabled':
    case 'plan.past_due':
      return emitted.has('installment.failed') ? null : type;
    case 'plan.canceled':
      // Without facts for a mail, the tenant sees on screen that the plan has ended.
      return mail ? type : null;
    case 'plan.updated':
      return updateMails[(data as Pick<EventData<'plan.updated'>, 'change'>).change] ?? null;
    default:
      return null;
  }
}

const updateMails: Partial<Record<EventData<'plan.updated'>['change'], MailType>> = {
  part_paid: 'installment.paid',
  payment_method: 'plan.payment_method',
  refunded: 'plan.refunded',
  fee_waived: 'plan.refunded',
  charged_off: 'plan.charged_off',
};

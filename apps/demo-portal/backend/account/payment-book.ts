import type { Settlement, WebhookEvent } from '@svc/node';
import type { Payment } from './account.ts';
import { type Day, dayAt } from './calendar.ts';

/** The portal's books: what Svc paid for whom. Nothing enters but verified events and API answers. */
export interface PaymentBook {
  paymentsOf(tenantId: string): readonly Payment[];
  /** Books a verified event; those that come twice, or after the plan's end, change nothing. */
  enter(event: WebhookEvent, timeZone: string): void;
  /** Books what the API says of a plan that was made before this process started. */
  enterSettlement(settlement: Settlement, timeZone: string): void;
  /** Strikes out all that was booked for the resident: the simulation was reset. */
  strikeOut(tenantId: string): void;
}

export function createPaymentBook(): PaymentBook {
  const payments = new Map<string, Payment[]>();
  const endedPlans = new Set<string>();
  const paymentsOf = (tenantId: string) => payments.get(tenantId) ?? [];

  function book(tenantId: string, payment: Payment): void {
    const earlier = paymentsOf(tenantId);
    const known = earlier.some(({ settlementId }) => settlementId === payment.settlementId);
    if (known || endedPlans.has(payment.planId)) return;
    payments.set(tenantId, [...earlier, payment]);
  }

  function endPlan(tenantId: string, planId: string): void {
    endedPlans.add(planId);
    payments.set(
      tenantId,
      paymentsOf(tenantId).filter((payment) => payment.planId !== planId),
    );
  }

  return {
    paymentsOf,
    enter(event, timeZone) {
      if (event.external_id === null || event.test || event.custom) return;
      if (event.type === 'settlement.created') {
        const receivedOn = dayAt(new Date(event.timestamp), timeZone);
        book(event.external_id, paymentOf(event.data, receivedOn));
      }
      if (event.type === 'plan.canceled') endPlan(event.external_id, event.data.plan_id);
    },
    enterSettlement(settlement, timeZone) {
      const receivedOn = dayAt(new Date(settlement.created_at), timeZone);
      const { id: settlement_id } = settlement;
      book(settlement.external_id, paymentOf({ ...settlement, settlement_id }, receivedOn));
    },
    strikeOut(tenantId) {
      for (const { planId } of paymentsOf(tenantId)) endPlan(tenantId, planId);
    },
  };
}

function paymentOf(
  settlement: { settlement_id: string } & Pick<Settlement, 'plan_id' | 'charges_and_amounts_paid'>,
  receivedOn: Day,
): Payment {
  return {
    settlementId: settlement.settlement_id,
    planId: settlement.plan_id,
    receivedOn,
    charges: settlement.charges_and_amounts_paid,
  };
}

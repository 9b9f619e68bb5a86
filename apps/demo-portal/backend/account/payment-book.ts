import type { Settlement, WebhookEvent } from '@svc/node';
import type { Payment } from './account.ts';
import { type Day, dayAt } from './calendar.ts';

/** The portal's record of payments by Svc. Only verified events and API responses are recorded. */
export interface PaymentBook {
  paymentsOf(tenantId: string): readonly Payment[];
  /** Records a verified event. Duplicates, and payments of plans that have ended, are ignored. */
  recordEvent(event: WebhookEvent, timeZone: string): void;
  /** Records a settlement of a plan that was created before this process started. */
  recordSettlement(settlement: Settlement, timeZone: string): void;
  /** Removes all payments of a resident, because the simulation was reset. */
  removePayments(tenantId: string): void;
}

export function createPaymentBook(): PaymentBook {
  const payments = new Map<string, Payment[]>();
  const endedPlans = new Set<string>();
  const paymentsOf = (tenantId: string) => payments.get(tenantId) ?? [];

  function record(tenantId: string, payment: Payment): void {
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
    recordEvent(event, timeZone) {
      if (event.external_id === null || event.test || event.custom) return;
      if (event.type === 'settlement.created') {
        const receivedOn = dayAt(new Date(event.timestamp), timeZone);
        record(event.external_id, paymentOf(event.data, receivedOn));
      }
      if (event.type === 'plan.canceled') endPlan(event.external_id, event.data.plan_id);
    },
    recordSettlement(settlement, timeZone) {
      const receivedOn = dayAt(new Date(settlement.created_at), timeZone);
      const { id: settlement_id } = settlement;
      record(settlement.external_id, paymentOf({ ...settlement, settlement_id }, receivedOn));
    },
    removePayments(tenantId) {
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

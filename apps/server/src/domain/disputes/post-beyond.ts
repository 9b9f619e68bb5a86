import type { UnitOfWork } from '../../context.ts';
import { post } from '../ledger/post.ts';
import { beyondSuffix } from '../payments/entry-key.ts';
import { recordProcessorEntries } from '../payments/record-processor-entry.ts';
import type { LivePlan } from '../plans/live-plan.ts';
import type { TenantTime } from '../tenants/time.ts';
import type { MovedEvent } from './processor-event.ts';

/**
 * Posts money that banks took beyond a payment, or give back of it. It is our loss, or ends one, and changes
 * nothing for the tenant, who owes a payment only once.
 */
export async function postBeyond(
  uow: UnitOfWork,
  { partnerId, tenantId, timeZone }: LivePlan,
  { id, kind, methodId, amountInCents }: MovedEvent,
  at: TenantTime,
): Promise<void> {
  const sourceId = `${id}${beyondSuffix}`;
  const toUs = kind === 'won' ? amountInCents : -amountInCents;
  await post(uow, [
    {
      partnerId,
      tenantId,
      kind: kind === 'won' ? 'payment_won' : 'payment_taken_back',
      sourceId,
      occurredAt: at,
      entries: [
        { kind: 'processor_clearing', amountInCents: toUs },
        { kind: 'credit_loss', amountInCents: -toUs },
      ],
    },
  ]);
  const movement = { partnerId, tenantId, methodId, timeZone, at, sourceId };
  recordProcessorEntries(uow, [{ ...movement, amountInCents: toUs }]);
}

import {
  scheduleTermsCheck,
  type TenantCursor,
} from '../domain/eligibility/schedule-terms-check.ts';
import { runUnitOfWork } from '../unit-of-work.ts';
import type { StepsContext } from './command.ts';

/** The number of tenants in one transaction. Few enough that an API call does not wait for them noticeably. */
const batchSize = 500;

/**
 * Schedules a check of each tenant's eligibility for the day on which other rules take effect, in short
 * transactions. After an interruption, repeat the command.
 */
export async function scheduleChecks(
  ctx: StepsContext,
  of: { readonly partnerId: string | null; readonly effective: string },
): Promise<void> {
  let after: TenantCursor | undefined = { partnerId: '', tenantId: '' };
  while (after) {
    const batch: Parameters<typeof scheduleTermsCheck>[1] = { ...of, after, limit: batchSize };
    after = await runUnitOfWork(ctx.commands, ctx.now, (uow) => scheduleTermsCheck(uow, batch));
  }
}

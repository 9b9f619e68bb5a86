import { bigint, bytes, instant, row, sql, text } from '@svc/db';
import type { Ctx } from '../../context.ts';
import type { TenantKey } from '../tenant-key.ts';
import { addDays } from '../tenants/calendar.ts';

/** The tenant's statements in the newest application that was not withdrawn. */
interface KnownApplicant {
  readonly dateOfBirth: string;
  readonly monthlyIncomeInCents: number;
  /** In tenant time. */
  readonly statedAt: Date;
}

const applicantRow = row('known applicant', {
  id: text,
  sealed: bytes,
  monthlyIncomeInCents: bigint,
  statedAt: instant,
});

/**
 * Reads what a returning tenant need not type again. It is stored in the application, encrypted, and
 * blanked when the tenant is erased. Null if there is none.
 */
export async function readKnownApplicant(
  { tx, service }: Pick<Ctx, 'tx' | 'service'>,
  { partnerId, tenantId }: TenantKey,
): Promise<KnownApplicant | null> {
  const found = await tx.maybe(
    applicantRow,
    sql`
    select id, date_of_birth_sealed as sealed, monthly_income_in_cents,
      submitted_at as stated_at
    from application
    where partner_id = ${partnerId} and tenant_id = ${tenantId} and state <> 'withdrawn'
    order by created_at desc, id desc limit 1`,
  );
  if (!found) return null;
  const { id, sealed, monthlyIncomeInCents, statedAt } = found;
  const dateOfBirth = service.vault.open(sealed, id);
  return dateOfBirth === '' ? null : { dateOfBirth, monthlyIncomeInCents, statedAt };
}

const incomeIsRecentForDays = 365;

/** Returns whether the stated income is so recent that the tenant only has to confirm it. */
export function isIncomeRecent({ statedAt }: KnownApplicant, today: string): boolean {
  return addDays(statedAt.toISOString().slice(0, 10), incomeIsRecentForDays) >= today;
}

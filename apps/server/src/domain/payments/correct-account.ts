import { bytes, row, sql } from '@svc/db';
import type { UnitOfWork } from '../../context.ts';
import { installation, recordAudit } from '../audit/record.ts';
import { markAccount } from '../tenants/risk-marks.ts';
import { fingerprintOf, openInstrument } from './payment-methods.ts';
import type { BankAccount } from './processor.ts';

/** A notification of change: the tenant's bank corrects an account after a debit. */
export interface AccountCorrection {
  readonly partnerId: string;
  readonly tenantId: string;
  readonly methodId: string;
  /** The name of the processor that read the correction. */
  readonly processor: string;
  /** A change code such as `C01`. */
  readonly code: string;
  /** The bank's file with the correction. */
  readonly file: string;
  /** Empty if the code is not about the account's numbers. */
  readonly changes: Partial<Omit<BankAccount, 'type'>>;
}

const methodRow = row('account to correct', { details_sealed: bytes });

/**
 * Stores the numbers that the tenant's bank wants us to use from now on. The audit log says that an account
 * was corrected, but never with which numbers. Returns whether anything changed.
 */
export async function correctAccount(
  uow: Pick<UnitOfWork, 'tx' | 'now' | 'service'>,
  { partnerId, tenantId, methodId, processor, code, file, changes }: AccountCorrection,
): Promise<boolean> {
  const { tx, now, service } = uow;
  const found = await tx.one(
    methodRow,
    sql`
    select details_sealed from payment_method
    where partner_id = ${partnerId} and id = ${methodId} for update`,
  );
  const account = openInstrument({ service }, { methodId, detailsSealed: found.details_sealed });
  // The account was erased with the tenant, or is not one whose numbers we have.
  if (account.type !== 'bank_account') return false;
  const corrected = { ...account, ...changes };
  const changed = Object.keys(changes).filter(
    (name) => corrected[name as keyof BankAccount] !== account[name as keyof BankAccount],
  );
  const details = {
    partner_id: partnerId,
    code,
    file: file.slice(-100),
    changed: changed.join(' '),
  };
  await recordAudit(
    { tx, now, requestId: processor, address: null },
    { partnerId: installation, via: 'bank', credentialId: processor },
    { action: 'account.corrected', subject_id: methodId, details },
  );
  if (changed.length === 0) return false;
  await tx.run(sql`
    update payment_method set last4 = ${corrected.account_number.slice(-4)},
      details_sealed = ${service.vault.seal(JSON.stringify(corrected), methodId)}
    where partner_id = ${partnerId} and id = ${methodId}`);
  await markAccount(uow, { partnerId, tenantId }, fingerprintOf(corrected) ?? '');
  return true;
}

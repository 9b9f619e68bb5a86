import type { UnitOfWork } from '../../context.ts';
import { isSignedByFirstKey } from '../sealed-chain.ts';
import { appendAuditSeal, auditChain, lockChain } from './seal.ts';
import { listChains, verifyChain } from './verify.ts';

/**
 * Signs each chain of the audit log with the first secret key, by a seal without entries, so that the
 * key that signed it before can be removed. A chain with faults is not signed: the signature would vouch
 * for them. Returns how many chains were signed, and how many have faults.
 */
export async function signAuditChains({
  tx,
  now,
  service: { vault },
}: Pick<UnitOfWork, 'tx' | 'now' | 'service'>): Promise<{ signed: number; faulty: number }> {
  let signed = 0;
  let faulty = 0;
  for (const it of await listChains(tx)) {
    const { partnerId } = it;
    await lockChain(tx, partnerId);
    if (await isSignedByFirstKey(tx, auditChain(it), vault)) continue;
    const { faults } = await verifyChain(tx, it, { vault, now });
    if (faults.length > 0) {
      faulty += 1;
      continue;
    }
    await appendAuditSeal(tx, { partnerId, entryIds: [] }, { now, vault });
    signed += 1;
  }
  return { signed, faulty };
}

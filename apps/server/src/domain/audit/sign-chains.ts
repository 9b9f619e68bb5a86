import { bytes, row, sql } from '@svc/db';
import type { UnitOfWork } from '../../context.ts';
import { appendSeal, lockChain, sealMacs } from './seal.ts';
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
  for (const chain of await listChains(tx)) {
    const { partnerId } = chain;
    await lockChain(tx, partnerId);
    const last = await tx.maybe(
      lastRow,
      sql`
      select sha256, mac from audit_seal where partner_id = ${partnerId}
      order by number desc limit 1`,
    );
    if (!last || sealMacs(vault, last.sha256)[0].equals(last.mac)) continue;
    const { faults } = await verifyChain(tx, chain, { vault, now });
    if (faults.length > 0) {
      faulty += 1;
      continue;
    }
    await appendSeal({ tx, now, vault }, { partnerId, entryIds: [] });
    signed += 1;
  }
  return { signed, faulty };
}

const lastRow = row('last audit seal', { sha256: bytes, mac: bytes });

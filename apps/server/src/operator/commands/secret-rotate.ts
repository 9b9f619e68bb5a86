import { installation } from '../../domain/audit/record.ts';
import { signAuditChains } from '../../domain/audit/sign-chains.ts';
import { signBooks } from '../../domain/books/seal-books.ts';
import { indexTenants } from '../../domain/tenants/index-tenants.ts';
import { defineCommand, longestReadMs } from '../command.ts';
import { recordSteps } from '../record-steps.ts';
import { rotateSecret } from '../rotate-secret.ts';

export const secretRotate = defineCommand({
  name: 'secret rotate',
  summary: 'encrypt stored secrets again with the first key of SVC_SECRET_KEY',
  effect: 'change',
  scope: 'steps',
  /**
   * Rotates in many short transactions and indexes the tenants by the new key. Then signs the audit log and records
   * the rotation in one transaction.
   */
  async run(ctx) {
    const { db, vault } = ctx.commands;
    const { resealed, remaining } = await rotateSecret(db, vault);
    const indexed = await indexTenants(db, vault);
    return recordSteps(
      ctx,
      async (uow) => {
        await signBooks(uow);
        const { signed, faulty } = await signAuditChains(uow);
        const rotation = {
          resealed,
          remaining,
          indexed,
          chains_signed: signed,
          chains_with_faults: faulty,
        };
        const entry = { action: 'vault.rotated', details: rotation } as const;
        return { partnerId: installation, entry, result: rotation };
      },
      { timeoutMs: longestReadMs },
    );
  },
  describe({ resealed, remaining, chains_with_faults: faulty }) {
    const done = `Encrypted ${resealed} values again with the first key of SVC_SECRET_KEY.\n`;
    if (remaining > 0) {
      return `${done}${remaining} values are still encrypted with another key, because a running process has it as its first key. Restart every process with the new key first, then run the command again.\n`;
    }
    return faulty > 0
      ? `${done}The audit log has faults, so ${faulty} of its chains are not signed with that key. Keep the other keys, and see "svc-admin audit verify".\n`
      : `${done}Every value is encrypted with that key now. If SVC_SECRET_KEY lists others, remove them and restart every process.\n`;
  },
});

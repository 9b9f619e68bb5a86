import { installation } from '../../domain/audit/record.ts';
import { defineCommand } from '../command.ts';
import { recordSteps } from '../record-steps.ts';
import { sealPersonalData } from '../seal-personal-data.ts';

export const tenantSeal = defineCommand({
  name: 'tenant seal',
  summary: 'delete the clear text that services before 0.3.0 have stored',
  effect: 'change',
  scope: 'steps',
  /** Encrypts in many short transactions, and then records it in one. */
  async run(ctx) {
    const { db, vault } = ctx.commands;
    const sealing = await sealPersonalData(db, vault);
    const entry = { action: 'tenants.sealed', details: { ...sealing } } as const;
    await recordSteps(ctx, async () => ({ partnerId: installation, entry, result: sealing }));
    return sealing;
  },
  describe({ sealed, remaining }) {
    if (sealed + remaining === 0) return 'No tenant is stored in clear text.\n';
    const rest = remaining === 0 ? '' : `${remaining} tenants are still stored in clear text.\n`;
    return `Encrypted the personal data of ${sealed} tenants and deleted the clear text. Services before 0.3.0 can no longer run on this database.\n${rest}A process that started before this command still writes clear text. Restart every process, then run the command again until no tenant is stored in clear text.\n`;
  },
});

import { installation } from '../../domain/audit/record.ts';
import { indexTenants } from '../../domain/tenants/index-tenants.ts';
import { defineCommand } from '../command.ts';
import { recordSteps } from '../record-steps.ts';

export const tenantIndex = defineCommand({
  name: 'tenant index',
  summary: 'let the console find tenants that an earlier version has stored',
  effect: 'change',
  scope: 'steps',
  /** Writes in many short statements, and then records it in a transaction. */
  async run(ctx) {
    const { db, vault } = ctx.commands;
    const indexed = { indexed: await indexTenants(db, vault) };
    const entry = { action: 'tenants.indexed', details: indexed } as const;
    await recordSteps(ctx, async () => ({ partnerId: installation, entry, result: indexed }));
    return indexed;
  },
  describe: ({ indexed }) =>
    indexed === 0
      ? 'Every tenant can be found by name, e-mail address and phone number.\n'
      : `${indexed} tenants can now be found by name, e-mail address and phone number.\n`,
});

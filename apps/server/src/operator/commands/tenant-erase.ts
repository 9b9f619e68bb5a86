import { eraseTenant } from '../../domain/privacy/erase-tenant.ts';
import { argument, defineCommand } from '../command.ts';

export const tenantErase = defineCommand({
  name: 'tenant erase',
  summary: 'destroy the key to a tenant’s personal data; money stays',
  input: { pms: argument('<pms>'), external_id: argument('<external id>') },
  effect: 'change',
  console: { needs: 'support', partner: 'pms' },
  needsReason: true,
  async run(ctx, { pms, external_id }) {
    const erased = await eraseTenant(ctx, { pms, external_id });
    await ctx.record(erased.partner_id, {
      action: 'tenant.erased',
      subject_id: erased.tenant_id,
      details: { external_id },
    });
    return erased;
  },
  approval: { when: 'always', facts: ({ tenant_id }) => ({ tenant_id }) },
  describe: (erased, { pms, external_id }) =>
    `Erased the tenant ${external_id} of ${pms} and destroyed the key. Plans and settlements show ${erased.external_id} from now on. Backups still contain the key: note this erasure next to them, and repeat it after a restore.\n`,
});

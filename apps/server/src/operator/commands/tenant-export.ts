import { exportTenant } from '../../domain/privacy/export-tenant.ts';
import { argument, defineCommand } from '../command.ts';

export const tenantExport = defineCommand({
  name: 'tenant export',
  summary: 'write everything that is stored about a tenant as JSON',
  input: { pms: argument('<pms>'), external_id: argument('<external id>') },
  effect: 'change',
  console: { needs: 'unmask', partner: 'pms' },
  needsReason: true,
  writesFile: true,
  async run(ctx, { pms, external_id }) {
    const exported = await exportTenant(ctx, { pms, external_id });
    await ctx.record(exported.partner_id, {
      action: 'tenant.exported',
      subject_id: exported.tenant_id,
      details: { external_id },
    });
    return exported;
  },
  describe: (exported) => `${JSON.stringify(exported, null, 2)}\n`,
});

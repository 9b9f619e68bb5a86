import { chooseElectronicRecords } from '../../domain/mail/electronic-records.ts';
import { lockNamedTenant } from '../../domain/tenants/require-tenant.ts';
import { argument, defineCommand } from '../command.ts';

export const tenantPaper = defineCommand({
  name: 'tenant paper',
  summary: 'send a tenant’s notices on paper, if the tenant asks for it by mail',
  input: { pms: argument('<pms>'), external_id: argument('<external id>') },
  effect: 'change',
  console: { needs: 'support', partner: 'pms' },
  needsReason: true,
  async run(ctx, { pms, external_id }) {
    const { partnerId, tenantId } = await lockNamedTenant(ctx, { pms, external_id });
    await chooseElectronicRecords(ctx, { partnerId, tenantId }, null);
    await ctx.record(partnerId, {
      action: 'tenant.notices_on_paper',
      subject_id: tenantId,
      details: { external_id },
    });
    return { partner_id: partnerId, tenant_id: tenantId };
  },
  describe: (_, { pms, external_id }) =>
    `Notices to the tenant ${external_id} of ${pms} go on paper from now on: see "svc-admin mail list --to-print".\n`,
});

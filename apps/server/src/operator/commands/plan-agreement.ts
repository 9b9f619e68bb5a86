import { installation } from '../../domain/audit/record.ts';
import { readAgreement } from '../../domain/plans/read-agreement.ts';
import { argument, defineCommand } from '../command.ts';
import { formatMinute } from '../format.ts';

export const planAgreement = defineCommand({
  name: 'plan agreement',
  summary: 'print what the tenant agreed to, its hash and its terms',
  input: { plan_id: argument('<plan id>') },
  // The text names the tenant and the home, so reading it is recorded.
  effect: 'change',
  console: { needs: 'unmask', partner: 'plan_id' },
  needsReason: true,
  async run(ctx, { plan_id }) {
    const { partner_id: _, ...agreement } = await readAgreement(ctx, { planId: plan_id });
    await ctx.record(installation, { action: 'agreement.read', subject_id: plan_id });
    return agreement;
  },
  describe(agreement) {
    const head = [
      ['plan', agreement.plan_id],
      ['tenant', `${agreement.pms}/${agreement.external_id}`],
      ['agreed', formatMinute(agreement.accepted_at)],
      ['language', agreement.locale ?? ''],
      ['terms', agreement.terms_version],
      ['SHA-256', agreement.sha256],
    ].map(([name = '', value]) => `${name.padEnd(9)} ${value}\n`);
    const note = agreement.is_full_text
      ? ''
      : 'The tenant was erased. The hash is of the text with the names of the tenant and the home.\n';
    return `${head.join('')}${note}\n${agreement.text}\n`;
  },
});

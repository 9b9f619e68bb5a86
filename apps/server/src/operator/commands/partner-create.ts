import { createPartner, hasPartners } from '../../domain/partners/create-partner.ts';
import { argument, defineCommand } from '../command.ts';
import { describeHandover, handOver, linkOption } from '../hand-over-key.ts';

export const partnerCreate = defineCommand({
  name: 'partner create',
  summary: 'create a partner and its first API key',
  input: { pms: argument('<pms>'), link: linkOption },
  effect: 'change',
  console: { needs: 'keys' },
  async run(ctx, { pms, link }) {
    const is_first = !(await hasPartners(ctx.tx));
    const { partner_id, ...created } = await createPartner(ctx, { pms });
    const { key, details } = await handOver(ctx, { partnerId: partner_id, created, link });
    await ctx.record(partner_id, {
      action: 'partner.created',
      details: { pms, key_id: created.key_id, ...details },
    });
    return { partner_id, pms, is_first, ...key };
  },
  // The first partner is exempt, because the person who sets up the service creates it.
  approval: { when: 'always', isExempt: ({ is_first }) => is_first },
  describe: (created) => describeHandover(created),
});

import { createPartner, hasPartners } from '../../domain/partners/create-partner.ts';
import { argument, defineCommand } from '../command.ts';
import { describeNewKey } from './key-create.ts';

export const partnerCreate = defineCommand({
  name: 'partner create',
  summary: 'create a partner and its first API key',
  input: { pms: argument('<pms>') },
  effect: 'change',
  console: { needs: 'keys' },
  async run(ctx, { pms }) {
    const is_first = !(await hasPartners(ctx.tx));
    const created = await createPartner(ctx, { pms });
    const details = { pms, key_id: created.key_id };
    await ctx.record(created.partner_id, { action: 'partner.created', details });
    return { ...created, is_first };
  },
  // Whoever sets up the service creates the first one.
  approval: { when: 'always', isExempt: ({ is_first }) => is_first },
  describe: (created) => describeNewKey(created),
});

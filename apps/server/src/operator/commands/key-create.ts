import { createKey } from '../../domain/access/api-keys.ts';
import { argument, defineCommand } from '../command.ts';
import { describeHandover, handOver, linkOption } from '../hand-over-key.ts';

export const keyCreate = defineCommand({
  name: 'key create',
  summary: 'create another API key, to rotate keys',
  input: { pms: argument('<pms>'), link: linkOption },
  effect: 'change',
  console: { needs: 'keys', partner: 'pms' },
  async run(ctx, { pms, link }) {
    const { partner_id, ...created } = await createKey(ctx, { pms });
    const { key, details } = await handOver(ctx, { partnerId: partner_id, created, link });
    await ctx.record(partner_id, { action: 'key.created', subject_id: created.key_id, details });
    return key;
  },
  approval: { when: 'always' },
  describe: (key, { pms }) => describeHandover({ pms, ...key }),
});

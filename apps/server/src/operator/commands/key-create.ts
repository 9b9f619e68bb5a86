import { createKey } from '../../domain/access/api-keys.ts';
import { argument, defineCommand } from '../command.ts';

export const keyCreate = defineCommand({
  name: 'key create',
  summary: 'create another API key, to rotate keys',
  input: { pms: argument('<pms>') },
  effect: 'change',
  console: { needs: 'keys', partner: 'pms' },
  async run(ctx, { pms }) {
    const { partner_id, ...key } = await createKey(ctx, { pms });
    await ctx.record(partner_id, { action: 'key.created', subject_id: key.key_id });
    return key;
  },
  approval: { when: 'always' },
  describe: (key, { pms }) => describeNewKey({ pms, ...key }),
});

export function describeNewKey(key: {
  readonly pms: string;
  readonly key_id: string;
  readonly api_key: string;
}): string {
  return `pms      ${key.pms}\nkey id   ${key.key_id}\nAPI key  ${key.api_key}\n\nThe key is shown only once. Store it with your backend's secrets.\n`;
}

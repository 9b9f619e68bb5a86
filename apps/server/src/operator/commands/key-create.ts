import { type KeyScope, keyScopes } from '@svc/contract';
import { createKey } from '../../domain/access/api-keys.ts';
import { argument, defineCommand, option } from '../command.ts';
import { describeHandover, handOver, linkOption } from '../hand-over-key.ts';
import { readOneOf } from '../read-values.ts';

export const keyCreate = defineCommand({
  name: 'key create',
  summary: 'create another API key',
  input: {
    pms: argument('<pms>'),
    scopes: option(
      '--scopes <scope,…>',
      `what the key may do: ${keyScopes.join(', ')} (default everything)`,
      readScopes,
    ),
    link: linkOption,
  },
  effect: 'change',
  console: { needs: 'keys', partner: 'pms' },
  async run(ctx, { pms, scopes, link }) {
    const { partner_id, ...created } = await createKey(ctx, { pms, scopes });
    const { key, details } = await handOver(ctx, { partnerId: partner_id, created, link });
    await ctx.record(partner_id, {
      action: 'key.created',
      subject_id: created.key_id,
      details: { ...details, ...(scopes && { scopes: [...scopes] }) },
    });
    return key;
  },
  approval: { when: 'always' },
  describe: (key, { pms }) => describeHandover({ pms, ...key }),
});

function readScopes(text: string): readonly KeyScope[] {
  return text.split(',').map((scope) => readOneOf('--scopes', keyScopes)(scope.trim()));
}

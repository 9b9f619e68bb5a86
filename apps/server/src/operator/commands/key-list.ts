import { type ApiKeyLine, listKeys } from '../../domain/access/api-keys.ts';
import { defineCommand, optionalArgument } from '../command.ts';
import { formatMinute } from '../format.ts';
import { table } from '../table.ts';

export const keyList = defineCommand({
  name: 'key list',
  summary: 'list API keys: name, scopes, last characters, last use, state',
  input: { pms: optionalArgument('[pms]') },
  effect: 'report',
  console: { needs: 'read', partner: 'pms' },
  readsPrimary: true,
  run: (ctx, input) => listKeys(ctx, input),
  describe: ({ items }) =>
    table(
      'API keys',
      ['key id', 'partner', 'name', 'may', 'ends with', 'created', 'last used', 'state'],
      items.map((key) => [
        key.key_id,
        key.pms,
        key.name ?? '',
        key.scopes.join(', '),
        key.ends_with === null ? '' : `…${key.ends_with}`,
        formatMinute(key.created_at),
        key.last_used_at === null ? '' : formatMinute(key.last_used_at),
        stateOf(key),
      ]),
    ),
});

function stateOf({ expires_at, revoked_at }: ApiKeyLine): string {
  if (revoked_at !== null) return `revoked ${formatMinute(revoked_at)}`;
  return expires_at === null ? 'live' : `rotated, works until ${formatMinute(expires_at)}`;
}

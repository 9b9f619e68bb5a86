import { revokeKey } from '../../domain/access/api-keys.ts';
import { argument, defineCommand, flag } from '../command.ts';

export const keyRevoke = defineCommand({
  name: 'key revoke',
  summary: 'revoke a key, its widget signatures and its console sessions',
  input: {
    key_id: argument('<key id>'),
    even_last: flag('--even-last', 'revoke a portal’s last API key, too; needs --reason'),
  },
  effect: 'change',
  console: { needs: 'keys', partner: 'key_id' },
  needsReason: ({ even_last = false }) => even_last,
  async run(ctx, { key_id, even_last = false }) {
    const { partner_id, ...result } = await revokeKey(ctx, { key_id, even_last });
    if (result.revoked) {
      const details = { sessions_ended: result.sessions_ended };
      await ctx.record(partner_id, { action: 'key.revoked', subject_id: key_id, details });
    }
    return result;
  },
  describe: ({ pms, revoked, sessions_ended }, { key_id }) =>
    revoked
      ? `Revoked ${key_id} of ${pms}. Calls and widget signatures made with it are refused from now on. Its portal links and ${sessions_ended} open console sessions have ended.\n`
      : `${key_id} of ${pms} was already revoked.\n`,
});

import { installation } from '../../domain/audit/record.ts';
import { createInvite } from '../../domain/operators/invite.ts';
import { requirePerson } from '../../domain/operators/people.ts';
import { defineCommand } from '../command.ts';
import { personArgument } from './operator-role.ts';

export const operatorLink = defineCommand({
  name: 'operator link',
  summary: 'print another link for a person whose link has expired or who can’t sign in any more',
  input: { operator_id: personArgument },
  effect: 'change',
  needsReason: true,
  console: { needs: 'people' },
  async run(ctx, { operator_id }) {
    const { name } = await requirePerson(ctx.tx, operator_id);
    const link = await createInvite(ctx, operator_id);
    await ctx.record(installation, { action: 'operator.invited', subject_id: operator_id });
    return { ...link, name };
  },
  // Anyone with the link can sign in as that person.
  approval: { when: 'always', facts: ({ name }) => ({ name }) },
  describe: ({ name, url }) =>
    `Send this link to ${name} over a safe channel. It works once, for 15 minutes:\n\n${url}\n`,
});

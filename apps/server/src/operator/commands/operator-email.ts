import { installation } from '../../domain/audit/record.ts';
import { addAccount } from '../../domain/operators/accounts.ts';
import { requirePerson } from '../../domain/operators/people.ts';
import { argument, defineCommand } from '../command.ts';
import { readAddress } from '../read-values.ts';
import { personArgument } from './operator-role.ts';

export const operatorEmail = defineCommand({
  name: 'operator email',
  summary: 'let a person sign in with the account that has this e-mail address at your provider',
  input: { operator_id: personArgument, email: argument('<address>', readAddress) },
  effect: 'change',
  console: { needs: 'people' },
  async run(ctx, { operator_id, email }) {
    const { name } = await requirePerson(ctx.tx, operator_id);
    await addAccount(ctx, { operatorId: operator_id, email });
    const entry = { action: 'operator.email_changed', subject_id: operator_id } as const;
    await ctx.record(installation, entry);
    return { operator_id, name, email };
  },
  // The owner of the address can sign in as that person.
  approval: { when: 'always', facts: ({ name, email }) => ({ name, email }) },
  describe: ({ name, email }) => `${name} signs in as ${email} at your provider from now on.\n`,
});

import { operatorRoles } from '@svc/contract/operator';
import { installation } from '../../domain/audit/record.ts';
import { changeRole } from '../../domain/operators/people.ts';
import { argument, defineCommand, requiredOption } from '../command.ts';
import { readId, readOneOf } from '../read-values.ts';

export const personArgument = argument(
  '<operator id>',
  readId('opr', { name: 'The person', from: 'operator list' }),
);

export const operatorRole = defineCommand({
  name: 'operator role',
  summary: 'give a person another role',
  input: {
    operator_id: personArgument,
    role: requiredOption(
      '--role <role>',
      operatorRoles.join(', '),
      readOneOf('--role', operatorRoles),
    ),
  },
  effect: 'change',
  console: { needs: 'people' },
  async run(ctx, { operator_id, role }) {
    const { name, before } = await changeRole(ctx, { operatorId: operator_id, role });
    await ctx.record(installation, {
      action: 'operator.role_changed',
      subject_id: operator_id,
      details: { role, before },
    });
    return { operator_id, name, role, before };
  },
  approval: { when: 'always', facts: ({ role, before }) => ({ role, before }) },
  describe: ({ name, role, before }) => `${name} is ${role} now, and was ${before}.\n`,
});

import { installation } from '../../domain/audit/record.ts';
import { endPerson } from '../../domain/operators/people.ts';
import { defineCommand } from '../command.ts';
import { personArgument } from './operator-role.ts';

export const operatorEnd = defineCommand({
  name: 'operator end',
  summary: 'end a person’s sessions, and let that person never sign in again',
  input: { operator_id: personArgument },
  effect: 'change',
  needsReason: true,
  console: { needs: 'people' },
  async run(ctx, { operator_id }) {
    const { name, sessions_ended } = await endPerson(ctx, { operatorId: operator_id });
    const details = { sessions_ended };
    const entry = { action: 'operator.ended', subject_id: operator_id, details } as const;
    await ctx.record(installation, entry);
    return { operator_id, name, sessions_ended };
  },
  describe: ({ name, sessions_ended }) =>
    `${name} cannot sign in any more. ${sessions_ended} sessions have ended.\n`,
});

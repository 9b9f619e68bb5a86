import { installation } from '../../domain/audit/record.ts';
import { decideApproval, lockApproval } from '../approvals/approvals.ts';
import { defineCommand } from '../command.ts';
import { approvalArgument } from './approval-approve.ts';

export const approvalRefuse = defineCommand({
  name: 'approval refuse',
  summary: 'refuse what another person has requested',
  input: { approval_id: approvalArgument },
  effect: 'change',
  console: { needs: 'people' },
  needsReason: true,
  async run(ctx, { approval_id: id }) {
    const { request, requested_by } = await lockApproval(ctx, { id, by: ctx.by });
    await decideApproval(ctx, { id, by: ctx.by, state: 'refused', answer: ctx.by.reason });
    const details = { command: request.command, requested_by };
    await ctx.record(installation, { action: 'approval.refused', subject_id: id, details });
    return { approval_id: id, command: request.command, requested_by };
  },
  describe: ({ approval_id, command, requested_by }) =>
    `Refused ${approval_id}: "${command}" of ${requested_by} is not done.\n`,
});

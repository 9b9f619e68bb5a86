import { argument, defineCommand } from '../command.ts';
import { readId } from '../read-values.ts';

export const approvalArgument = argument(
  '<request id>',
  readId('apr', { name: 'The request', from: 'approval list' }),
);

export const approvalApprove = defineCommand({
  name: 'approval approve',
  summary: 'approve what another person has requested, and do it',
  input: { approval_id: approvalArgument },
  effect: 'change',
  console: { needs: 'work', freshProof: true },
  scope: 'steps',
  run: (ctx, { approval_id }) => ctx.approve(approval_id),
  describe: ({ summary }) => summary,
});

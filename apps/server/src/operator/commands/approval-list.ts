import { mostListed } from '../../domain/listed.ts';
import { type Approval, factsText, listApprovals } from '../approvals/approvals.ts';
import { defineCommand, flag } from '../command.ts';
import { formatMinute } from '../format.ts';
import { table } from '../table.ts';

export const approvalList = defineCommand({
  name: 'approval list',
  summary: 'list the commands that wait for a second person, newest first',
  input: { all: flag('--all', 'also those that were approved, refused or have expired') },
  effect: 'report',
  console: { needs: 'read' },
  readsPrimary: true,
  async run(ctx, { all = false }) {
    const { items, has_more } = await listApprovals(ctx, { isOpen: !all });
    // A running service sends the result to the command line as JSON.
    const requests = items.map((it) => ({
      ...it,
      requested_at: it.requested_at.toISOString(),
      expires_at: it.expires_at.toISOString(),
    }));
    return { items: requests, has_more };
  },
  describe: ({ items, has_more }) =>
    table(
      'requests',
      ['requested', 'by', 'request', 'command', 'would change', 'reason', 'expires', 'state'],
      items.map((it) => [
        formatMinute(it.requested_at),
        it.requested_by,
        it.id,
        commandText(it),
        factsText(it.facts),
        it.reason,
        formatMinute(it.expires_at),
        it.decided_by === null ? it.state : `${it.state} by ${it.decided_by}`,
      ]),
      has_more ? `Only the newest ${mostListed} are listed.` : '',
    ),
});

/** `payment refund pay_… 7600` */
function commandText({ request: { command, ...input } }: Pick<Approval, 'request'>): string {
  const values = Object.values(input).filter((it) => ['string', 'number'].includes(typeof it));
  return [command, ...values].join(' ').slice(0, 200);
}

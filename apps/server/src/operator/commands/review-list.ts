import { listReviews } from '../../domain/applications/review-queue.ts';
import { mostListed } from '../../domain/listed.ts';
import { defineCommand } from '../command.ts';
import { dollars, formatMinute } from '../format.ts';
import { table } from '../table.ts';

export const reviewList = defineCommand({
  name: 'review list',
  summary: 'list the applications that wait for a decision, the oldest first',
  effect: 'report',
  console: { needs: 'read' },
  run: (ctx) => listReviews(ctx),
  describe: ({ items, has_more }) =>
    table(
      'applications in review',
      [
        'submitted',
        'expires',
        'notice due',
        'owner',
        'amount',
        'income',
        'tenant',
        'application',
        'service',
        'flags',
      ],
      items.map((it) => [
        formatMinute(it.submitted_at),
        formatMinute(it.expires_at),
        it.notice_due_on,
        it.taken_by ?? '',
        dollars(it.facts.amount_in_cents),
        dollars(it.facts.monthly_income_in_cents),
        `${it.pms}/${it.external_id}`,
        it.application_id,
        it.attempts === 0 ? 'not asked' : (it.last_failure ?? 'leaves it in review'),
        it.flags.join(', '),
      ]),
      has_more ? `Only the oldest ${mostListed} are listed.` : '',
    ),
});

import { declineReasons } from '@svc/contract';
import { decideReview } from '../../domain/applications/review-queue.ts';
import { installation } from '../../domain/audit/record.ts';
import { en } from '../../words/en.ts';
import { defineCommand, option } from '../command.ts';
import { readAmount } from '../read-amount.ts';
import { readOneOf, readSeveralOf } from '../read-values.ts';
import { applicationArgument } from './review-take.ts';

export const reviewDecide = defineCommand({
  name: 'review decide',
  summary: 'approve or decline an application in review',
  input: {
    application_id: applicationArgument,
    amount_in_cents: option('--amount <cents>', 'approve it, up to this amount', readAmount),
    military: option(
      '--military-covered <yes|no>',
      'whether the Military Lending Act covers the tenant, if you have looked it up',
      readOneOf('--military-covered', ['yes', 'no'] as const),
    ),
    decline: option(
      '--decline <reasons>',
      `decline it, for these reasons, the most important first: ${declineReasons.join(',')}`,
      readSeveralOf('--decline', declineReasons, (code) => en.notice.reasons[code]),
    ),
  },
  effect: 'control',
  console: { needs: 'risk', partner: 'application_id' },
  refuse: ({ amount_in_cents, decline }) =>
    (amount_in_cents === undefined) === (decline === undefined)
      ? 'needs --amount to approve, or --decline with the reasons'
      : undefined,
  async run(ctx, { application_id, amount_in_cents = 0, military, decline }) {
    const outcome = decline ? 'declined' : 'approved';
    await decideReview(ctx, {
      applicationId: application_id,
      decision: decline
        ? { outcome: 'declined', reasons: decline }
        : {
            outcome: 'approved',
            approved_amount_in_cents: amount_in_cents,
            military_covered: military && military === 'yes',
          },
    });
    const entry = { action: 'review.decided', subject_id: application_id } as const;
    await ctx.record(installation, { ...entry, details: { outcome } });
    return { application_id, outcome };
  },
  approval: { when: 'always', facts: ({ outcome }) => ({ outcome }) },
  describe: ({ application_id, outcome }) =>
    outcome === 'approved'
      ? `${application_id} is approved. The tenant can choose a plan.\n`
      : `${application_id} is declined. The tenant gets the notice with the reasons.\n`,
});

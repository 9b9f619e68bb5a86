import { releaseReview } from '../../domain/applications/review-queue.ts';
import { installation } from '../../domain/audit/record.ts';
import { defineCommand } from '../command.ts';
import { applicationArgument } from './review-take.ts';

export const reviewRelease = defineCommand({
  name: 'review release',
  summary: 'let the rules or the decision service decide an application in review',
  input: { application_id: applicationArgument },
  effect: 'control',
  console: { needs: 'risk', partner: 'application_id' },
  async run(ctx, { application_id }) {
    const outcome = await releaseReview(ctx, { applicationId: application_id });
    const entry = { action: 'review.released', subject_id: application_id } as const;
    await ctx.record(installation, { ...entry, details: { outcome } });
    return { application_id, outcome };
  },
  describe: ({ application_id, outcome }) =>
    outcome === 'asked'
      ? `The decision service is asked about ${application_id} now.\n`
      : `The rules decided: ${application_id} is ${outcome}.\n`,
});

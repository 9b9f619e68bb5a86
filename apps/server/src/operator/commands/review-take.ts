import { takeReview } from '../../domain/applications/review-queue.ts';
import { installation } from '../../domain/audit/record.ts';
import { argument, defineCommand, option } from '../command.ts';
import { readId } from '../read-values.ts';

/** The application to review, by its id. */
export const applicationArgument = argument(
  '<application id>',
  readId('app', { name: 'The application', from: 'review list' }),
);

export const reviewTake = defineCommand({
  name: 'review take',
  summary: 'take an application, so that the decision service is not asked any more',
  input: {
    application_id: applicationArgument,
    from: option('--from <user>', 'take it over from this person'),
  },
  effect: 'change',
  console: { needs: 'risk', partner: 'application_id' },
  async run(ctx, { application_id, from }) {
    const { user } = ctx.by;
    await takeReview(ctx, { applicationId: application_id, user, from });
    await ctx.record(installation, { action: 'review.taken', subject_id: application_id });
    return { application_id, taken_by: user };
  },
  describe: ({ application_id, taken_by }) => `${taken_by} has ${application_id}.\n`,
});

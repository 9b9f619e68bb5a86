import { decideHeld } from '../../domain/applications/decide-held.ts';
import { installation } from '../../domain/audit/record.ts';
import { argument, defineCommand, flag } from '../command.ts';

export const riskDecide = defineCommand({
  name: 'risk decide',
  summary: 'decide a held application as if it had not been flagged, or --decline it',
  input: {
    application_id: argument('<application id>'),
    decline: flag('--decline', 'decline it, because the data could not be verified'),
  },
  effect: 'control',
  async run(ctx, { application_id: applicationId, decline: declines = false }) {
    const decided = await decideHeld(ctx, { applicationId, declines });
    const { outcome, pms } = decided;
    const details = { outcome, pms, declined_by_operator: declines };
    const entry = { action: 'application.decided', subject_id: applicationId, details } as const;
    await ctx.record(installation, entry);
    return decided;
  },
  describe: ({ outcome, pms, external_id: tenant }) =>
    outcome === 'asked'
      ? `The decision service is asked about ${pms}/${tenant} now.\n`
      : `The application of ${pms}/${tenant} is ${outcome}. The tenant gets a mail.\n`,
});

import { defineCommand } from '../command.ts';
import { recordCheck } from '../record-check.ts';

export const backupRecord = defineCommand({
  name: 'backup record',
  summary: 'say that a backup is complete, for the alert on its age',
  // It changes nothing that the audit log is about.
  effect: 'report',
  readsPrimary: true,
  needsDatabaseOnly: true,
  scope: 'steps',
  async run(ctx) {
    await recordCheck(ctx, 'backup', { now: ctx.now, faults: 0 });
    return { recorded_at: ctx.now.toISOString() };
  },
  describe: ({ recorded_at }) => `Recorded a backup at ${recorded_at}.\n`,
});

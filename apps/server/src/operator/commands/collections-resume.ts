import { resumeCollections } from '../../domain/controls/pauses.ts';
import { defineCommand } from '../command.ts';
import {
  auditedScope,
  collectionsScope,
  describeScope,
  refuseTwoScopes,
} from './collections-pause.ts';

export const collectionsResume = defineCommand({
  name: 'collections resume',
  summary: 'collect again, also what fell due during the pause',
  input: collectionsScope,
  effect: 'control',
  console: { needs: 'money', partner: 'pms' },
  refuse: refuseTwoScopes,
  async run(ctx, { pms, ...subject }) {
    const { partner_id, changed } = await resumeCollections(ctx, { pms, ...subject });
    const entry = { action: 'collections.resumed', details: auditedScope(subject) } as const;
    if (changed) await ctx.record(partner_id, entry);
    return { changed };
  },
  describe: ({ changed }, scope) =>
    changed
      ? `Collections of ${describeScope(scope)} continue. The next pass collects what fell due, within a minute.\n`
      : `Collections of ${describeScope(scope)} were not paused. "svc-admin collections list" lists all pauses.\n`,
});

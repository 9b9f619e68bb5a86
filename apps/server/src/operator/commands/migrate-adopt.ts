import { adoptSchema } from '../adopt-schema.ts';
import { defineCommand } from '../command.ts';
import { countOf } from '../format.ts';
import { withSchema } from '../schema.ts';

/** Needed only for databases of builds between 0.2.0 and 0.3.0. It will be removed in 0.4.0. */
export const migrateAdopt = defineCommand({
  name: 'migrate adopt',
  summary: 'keep the database of a build that was never released; until 0.4.0',
  effect: 'change',
  scope: 'schema',
  run: (ctx) =>
    withSchema(ctx, async ({ db, where }) => ({
      where,
      adopted: await adoptSchema(db, { by: ctx.by, where }),
    })),
  describe: ({ where, adopted }) =>
    adopted.length === 0
      ? `Nothing to adopt: no unreleased build has changed ${where}.\n`
      : `Adopted ${where}: ${countOf(adopted.length, 'migration', 'migrations')} of this version replace those of an unreleased build. Run "svc-admin migrate apply" next.\n`,
});

import { argument, defineCommand } from '../command.ts';
import { grantToService } from '../grant-to-service.ts';
import { describePartitions, partition, refusePending, withSchema } from '../schema.ts';
import { UsageError } from '../usage-error.ts';

export const migrateGrant = defineCommand({
  name: 'migrate grant',
  summary: 'let a database role serve without the right to change the audit log',
  input: { role: argument('<role>', readRole) },
  effect: 'change',
  scope: 'schema',
  run: (ctx, { role }) =>
    withSchema(ctx, async (schema) => {
      refusePending(schema);
      await grantToService(schema.db, { role, by: ctx.by });
      return { where: schema.where, partitions: await partition(schema.db, ctx) };
    }),
  describe: ({ where, partitions }, { role }) =>
    `${role} can run the service in ${where}. It cannot change or delete entries of the audit log.\n${describePartitions(partitions)}`,
});

function readRole(text: string): string {
  // Longer names are cut by PostgreSQL, and others would need quotes.
  if (/^[a-z_][a-z0-9_]{0,62}$/.test(text)) return text;
  throw new UsageError(
    `The role must be 1 to 63 characters of a-z, 0-9 and _, and not begin with a digit, not "${text}".`,
  );
}

import type { AuditEntry } from '../../domain/audit/record.ts';
import { pauseCollections } from '../../domain/controls/pauses.ts';
import { argument, defineCommand, type InputOf, option } from '../command.ts';

/** The partner, property or tenant whose collections are paused or resumed. */
export const collectionsScope = {
  pms: argument('<pms>'),
  property: option('--property <id>', 'only this property, by its id in the leases'),
  tenant: option('--tenant <external id>', 'only this tenant'),
};

type Scope = InputOf<typeof collectionsScope>;

export function refuseTwoScopes({ property, tenant }: Scope): string | undefined {
  if (property === undefined || tenant === undefined) return undefined;
  return 'takes --property or --tenant, not both';
}

export const collectionsPause = defineCommand({
  name: 'collections pause',
  summary: 'stop automatic collections of a partner, a property or a tenant',
  input: collectionsScope,
  effect: 'control',
  console: { needs: 'money', partner: 'pms' },
  refuse: refuseTwoScopes,
  async run(ctx, { pms, ...subject }) {
    const { partner_id, changed } = await pauseCollections(ctx, { pms, ...subject }, ctx.by);
    const entry = { action: 'collections.paused', details: auditedScope(subject) } as const;
    if (changed) await ctx.record(partner_id, entry);
    return { changed };
  },
  describe: ({ changed }, scope) =>
    changed
      ? `Collections of ${describeScope(scope)} are paused. What falls due is collected once they are resumed.\n`
      : `Collections of ${describeScope(scope)} were paused already.\n`,
});

/** The details of an audit entry. With `external_id`, the entry is in the tenant's timeline. */
export function auditedScope({
  property,
  tenant,
}: Omit<Scope, 'pms'>): NonNullable<AuditEntry['details']> {
  return {
    ...(property !== undefined && { property }),
    ...(tenant !== undefined && { external_id: tenant }),
  };
}

export function describeScope({ pms, property, tenant }: Scope): string {
  if (tenant !== undefined) return `tenant ${tenant} of ${pms}`;
  return property === undefined ? pms : `property ${property} of ${pms}`;
}

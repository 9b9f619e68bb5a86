import { createHash } from 'node:crypto';
import type { PartnerActor } from '../access/actor.ts';

const mostTenants = 10_000;

/**
 * The last report about each tenant that this process has seen. A portal may send the same report with each page, and
 * a copy of the tenant needs it only once.
 */
export class LastReports {
  private readonly digests = new Map<string, string>();

  /**
   * Returns whether the portal's report equals the last one about the tenant. Any other call about the tenant, which
   * passes undefined, clears the last report.
   */
  isRepeated(
    { partnerId }: Pick<PartnerActor, 'partnerId'>,
    { externalId, report }: { readonly externalId: string; readonly report: unknown },
  ): boolean {
    const key = `${partnerId} ${externalId}`;
    const digest =
      report === undefined
        ? undefined
        : createHash('sha256').update(JSON.stringify(report)).digest('base64');
    const isEqual = digest !== undefined && this.digests.get(key) === digest;
    this.digests.delete(key);
    if (digest !== undefined) this.digests.set(key, digest);
    const [oldest] = this.digests.keys();
    if (this.digests.size > mostTenants && oldest !== undefined) this.digests.delete(oldest);
    return isEqual;
  }
}
